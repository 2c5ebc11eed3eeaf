#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace joulecast::llm::test {

/// Configs of the shipped models in the form of their repositories, with the keys that import_config reads.
inline const std::pair<std::string, std::string> kConfigs[] = {
    {"llama-3.1-8b",
     R"({"model_type": "llama", "hidden_size": 4096, "num_hidden_layers": 32, "num_attention_heads": 32, "num_key_value_heads": 8,
         "intermediate_size": 14336, "vocab_size": 128256, "max_position_embeddings": 131072, "tie_word_embeddings": false, "attention_bias": false,
         "mlp_bias": false, "torch_dtype": "bfloat16"})"},
    {"llama-3.2-3b",
     R"({"model_type": "llama", "hidden_size": 3072, "num_hidden_layers": 28, "num_attention_heads": 24, "num_key_value_heads": 8, "head_dim": 128,
         "intermediate_size": 8192, "vocab_size": 128256, "max_position_embeddings": 131072, "tie_word_embeddings": true,
         "torch_dtype": "bfloat16"})"},
    {"mistral-7b-v0.1",
     R"({"model_type": "mistral", "hidden_size": 4096, "num_hidden_layers": 32, "num_attention_heads": 32, "num_key_value_heads": 8,
         "intermediate_size": 14336, "vocab_size": 32000, "max_position_embeddings": 32768, "sliding_window": 4096, "torch_dtype": "bfloat16"})"},
    {"mixtral-8x7b",
     R"({"model_type": "mixtral", "hidden_size": 4096, "num_hidden_layers": 32, "num_attention_heads": 32, "num_key_value_heads": 8,
         "intermediate_size": 14336, "vocab_size": 32000, "max_position_embeddings": 32768, "sliding_window": null, "num_local_experts": 8,
         "num_experts_per_tok": 2, "tie_word_embeddings": false, "torch_dtype": "bfloat16"})"},
    {"qwen2.5-72b",
     R"({"model_type": "qwen2", "hidden_size": 8192, "num_hidden_layers": 80, "num_attention_heads": 64, "num_key_value_heads": 8,
         "intermediate_size": 29568, "vocab_size": 152064, "max_position_embeddings": 131072, "sliding_window": 131072, "use_sliding_window": false,
         "tie_word_embeddings": false, "torch_dtype": "bfloat16"})"},
    {"qwen3-32b",
     R"({"model_type": "qwen3", "hidden_size": 5120, "num_hidden_layers": 64, "num_attention_heads": 64, "num_key_value_heads": 8, "head_dim": 128,
         "intermediate_size": 25600, "vocab_size": 151936, "max_position_embeddings": 40960, "sliding_window": null, "use_sliding_window": false,
         "tie_word_embeddings": false, "attention_bias": false, "torch_dtype": "bfloat16"})"},
    {"qwen3-30b-a3b",
     R"({"model_type": "qwen3_moe", "hidden_size": 2048, "num_hidden_layers": 48, "num_attention_heads": 32, "num_key_value_heads": 4,
         "head_dim": 128, "intermediate_size": 6144, "moe_intermediate_size": 768, "num_experts": 128, "num_experts_per_tok": 8,
         "decoder_sparse_step": 1, "mlp_only_layers": [], "vocab_size": 151936, "max_position_embeddings": 40960, "tie_word_embeddings": false,
         "torch_dtype": "bfloat16"})"},
    {"gemma-3-27b",
     R"({"model_type": "gemma3", "torch_dtype": "bfloat16", "vision_config": {"hidden_size": 1152}, "text_config": {"model_type": "gemma3_text",
         "hidden_size": 5376, "num_hidden_layers": 62, "num_attention_heads": 32, "num_key_value_heads": 16, "head_dim": 128,
         "intermediate_size": 21504, "vocab_size": 262208, "max_position_embeddings": 131072, "sliding_window": 1024}})"},
    {"gpt-oss-20b",
     R"({"model_type": "gpt_oss", "hidden_size": 2880, "num_hidden_layers": 24, "num_attention_heads": 64, "num_key_value_heads": 8, "head_dim": 64,
         "intermediate_size": 2880, "vocab_size": 201088, "max_position_embeddings": 131072, "sliding_window": 128, "num_local_experts": 32,
         "num_experts_per_tok": 4, "attention_bias": true, "tie_word_embeddings": false, "quantization_config": {"quant_method": "mxfp4"},
         "layer_types": ["sliding_attention", "full_attention", "sliding_attention", "full_attention", "sliding_attention", "full_attention",
         "sliding_attention", "full_attention", "sliding_attention", "full_attention", "sliding_attention", "full_attention", "sliding_attention",
         "full_attention", "sliding_attention", "full_attention", "sliding_attention", "full_attention", "sliding_attention", "full_attention",
         "sliding_attention", "full_attention", "sliding_attention", "full_attention"]})"},
    {"llama-4-maverick",
     R"({"model_type": "llama4", "torch_dtype": "bfloat16", "text_config": {"model_type": "llama4_text", "hidden_size": 5120, "num_hidden_layers": 48,
         "num_attention_heads": 40, "num_key_value_heads": 8, "head_dim": 128, "intermediate_size": 8192, "intermediate_size_mlp": 16384,
         "num_local_experts": 128, "num_experts_per_tok": 1, "interleave_moe_layer_step": 2, "attention_chunk_size": 8192, "vocab_size": 202048,
         "max_position_embeddings": 1048576, "tie_word_embeddings": false}})"},
    {"deepseek-v3",
     R"({"model_type": "deepseek_v3", "hidden_size": 7168, "num_hidden_layers": 61, "num_attention_heads": 128, "num_key_value_heads": 128,
         "intermediate_size": 18432, "moe_intermediate_size": 2048, "n_routed_experts": 256, "n_shared_experts": 1, "num_experts_per_tok": 8,
         "first_k_dense_replace": 3, "moe_layer_freq": 1, "q_lora_rank": 1536, "kv_lora_rank": 512, "qk_nope_head_dim": 128, "qk_rope_head_dim": 64,
         "v_head_dim": 128, "topk_method": "noaux_tc", "num_nextn_predict_layers": 1, "vocab_size": 129280, "max_position_embeddings": 163840,
         "tie_word_embeddings": false, "torch_dtype": "bfloat16", "quantization_config": {"quant_method": "fp8", "weight_block_size": [128, 128]}})"},
    {"falcon-7b",
     R"({"model_type": "falcon", "_name_or_path": "tiiuae/falcon-7b", "hidden_size": 4544, "num_hidden_layers": 32, "num_attention_heads": 71,
         "num_kv_heads": 71, "multi_query": true, "new_decoder_architecture": false, "parallel_attn": true, "bias": false, "alibi": false,
         "vocab_size": 65024, "torch_dtype": "bfloat16"})"},
    {"falcon-40b",
     R"({"model_type": "falcon", "hidden_size": 8192, "num_hidden_layers": 60, "num_attention_heads": 128, "num_kv_heads": 8, "multi_query": true,
         "new_decoder_architecture": true, "parallel_attn": true, "bias": false, "alibi": false, "vocab_size": 65024, "torch_dtype": "bfloat16"})"},
    {"bloom-3b",
     R"({"model_type": "bloom", "hidden_size": 2560, "n_layer": 30, "num_attention_heads": 32, "vocab_size": 250880, "seq_length": 2048,
         "torch_dtype": "float16"})"},
    {"gpt-3-6.7b",
     R"({"model_type": "gpt2", "n_embd": 4096, "n_layer": 32, "n_head": 32, "vocab_size": 50257, "n_positions": 1024, "torch_dtype": "float16"})"},
};

inline const std::string& config(const std::string& file) {
  for (const auto& [name, json] : kConfigs) {
    if (name == file) return json;
  }
  throw std::logic_error("no config of " + file);
}

}  // namespace joulecast::llm::test
