#include <fmt/format.h>

#include "llm/huggingface/families.hpp"

namespace joulecast::llm {

void read_mixtral(ConfigReader& config, Architecture& model) {
  read_mistral(config, model);
  Experts experts;
  experts.count = config.count("num_local_experts");
  experts.per_token = config.count("num_experts_per_tok");
  experts.ffn = model.ffn;
  model.experts = experts;
}

namespace {

void read_qwen_experts(ConfigReader& config, Architecture& model) {
  Experts experts;
  experts.count = config.count("num_experts");
  experts.per_token = config.count("num_experts_per_tok");
  experts.ffn = config.count("moe_intermediate_size");
  experts.every = config.maybe_count("decoder_sparse_step").value_or(1);
  const auto* dense = config.find("mlp_only_layers");
  const auto* list = dense == nullptr ? nullptr : dense->as<config::Node::Array>();
  if (dense != nullptr && (list == nullptr || !list->empty())) {
    config.refuse("\"mlp_only_layers\" is not empty, which is not supported", "write the model's file by hand with dense_first or every");
  }
  model.experts = experts;
}

}  // namespace

/// The gate of the shared expert, a value a channel, is a projection onto one: it is left out of the count.
void read_qwen2_moe(ConfigReader& config, Architecture& model) {
  read_qwen2(config, model);
  read_qwen_experts(config, model);
  model.experts->shared = 1;
  model.experts->shared_ffn = config.count("shared_expert_intermediate_size");
}

void read_qwen3_moe(ConfigReader& config, Architecture& model) {
  read_qwen3(config, model);
  read_qwen_experts(config, model);
}

void read_gpt_oss(ConfigReader& config, Architecture& model) {
  read_usual(config, model, false);
  model.biases = {true, true, false, true};
  model.attention_sinks = true;
  Experts experts;
  experts.count = config.count({"num_local_experts", "num_experts"});
  experts.per_token = config.count({"num_experts_per_tok", "experts_per_token"});
  experts.ffn = model.ffn;
  experts.router_bias = true;
  model.experts = experts;
  constexpr std::int64_t kPattern = 2;  // local and full layers by turns
  read_layer_types(config, model, config.count("sliding_window"), kPattern);
}

/// The text model: experts and shared expert are intermediate_size wide, dense layers intermediate_size_mlp.
void read_llama4(ConfigReader& config, Architecture& model) {
  read_usual(config, model, false);
  Experts experts;
  experts.count = config.count("num_local_experts");
  experts.per_token = config.count("num_experts_per_tok");
  experts.shared = 1;
  experts.ffn = model.ffn;
  experts.every = config.maybe_count("interleave_moe_layer_step").value_or(1);
  if (experts.every > 1) model.ffn = config.count("intermediate_size_mlp");
  model.experts = experts;
  constexpr std::int64_t kPattern = 4;  // each fourth layer sees all, without rotary positions
  const auto pattern = config.maybe_count("no_rope_layer_interval").value_or(kPattern);
  if (const auto chunk = config.maybe_count("attention_chunk_size")) read_layer_types(config, model, *chunk, pattern);
}

void read_deepseek(ConfigReader& config, Architecture& model) {
  read_usual(config, model, false);
  LatentAttention latent;
  latent.q_lora = config.maybe_count("q_lora_rank").value_or(0);
  latent.kv_lora = config.count("kv_lora_rank");
  latent.qk_nope = config.count("qk_nope_head_dim");
  latent.qk_rope = config.count("qk_rope_head_dim");
  latent.v_head = config.count("v_head_dim");
  model.latent = latent;
  model.kv_heads = model.heads;
  model.head_dim = latent.query_head();
  Experts experts;
  experts.count = config.count("n_routed_experts");
  experts.per_token = config.count("num_experts_per_tok");
  experts.shared = config.maybe_from_none("n_shared_experts").value_or(0);
  experts.ffn = config.count("moe_intermediate_size");
  experts.dense_first = config.maybe_from_none("first_k_dense_replace").value_or(0);
  experts.router_bias = config.text({"topk_method"}, "") == "noaux_tc" || (config.model_type() == "deepseek_v3" && !config.has("topk_method"));
  if (config.maybe_count("moe_layer_freq").value_or(1) != 1) {
    config.refuse("\"moe_layer_freq\" is not 1, which is not supported", "the published models have 1");
  }
  model.experts = experts;
  if (config.maybe_from_none("num_nextn_predict_layers").value_or(0) > 0) config.note("layers that predict further tokens are left out");
}

}  // namespace joulecast::llm
