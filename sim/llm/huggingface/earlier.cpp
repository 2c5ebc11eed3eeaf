#include "llm/huggingface/families.hpp"

namespace joulecast::llm {

namespace {

void read_ungated(Architecture& model, bool biased) {
  model.gated = false;
  model.norm = Norm::layer;
  model.biases.qkv = model.biases.output = model.biases.ffn = biased;
}

}  // namespace

/// num_kv_heads counts only with new_decoder_architecture; with multi_query there is one KV head, whatever num_kv_heads says (falcon-7b says 71).
/// The checkpoints hold a separate lm_head.
void read_falcon(ConfigReader& config, Architecture& model) {
  model.layers = config.count({"num_hidden_layers", "n_layer"});
  model.hidden = config.count("hidden_size");
  model.heads = config.count({"num_attention_heads", "n_head"});
  model.head_dim = model.hidden >= model.heads ? model.hidden / model.heads : 1;
  const bool grouped = config.flag("new_decoder_architecture", false);
  const bool multi_query = config.flag("multi_query", true);
  const auto stated = config.maybe_count({"num_kv_heads", "n_head_kv"});
  model.kv_heads = grouped ? stated.value_or(model.heads) : multi_query ? 1 : model.heads;
  if (stated && *stated != model.kv_heads) {
    config.note(multi_query ? "num_kv_heads is not what the model has: multi_query means one KV head" : "num_kv_heads is not used by this model");
  }
  read_ungated(model, config.flag("bias", false));
  model.ffn = config.maybe_count("ffn_hidden_size").value_or(4 * model.hidden);
  model.vocab = config.count("vocab_size");
  constexpr std::int64_t kContext = 2048;  // of the published models; the config names it only in later versions
  model.max_position = config.maybe_count("max_position_embeddings").value_or(kContext);
  model.tied = config.flag("tie_word_embeddings", false);
  model.parallel_blocks = grouped || config.flag("parallel_attn", true);
  const std::int64_t norms = grouped ? 2 : model.parallel_blocks ? 1 : 2;
  model.norms_per_layer = config.maybe_count("num_ln_in_parallel_attn").value_or(norms);
  if (config.flag("alibi", false)) model.positions = Positions::alibi;
}

void read_bloom(ConfigReader& config, Architecture& model) {
  model.layers = config.count({"n_layer", "num_hidden_layers"});
  model.hidden = config.count({"hidden_size", "n_embed"});
  model.heads = model.kv_heads = config.count({"n_head", "num_attention_heads"});
  model.head_dim = model.hidden >= model.heads ? model.hidden / model.heads : 1;
  model.ffn = 4 * model.hidden;
  model.vocab = config.count("vocab_size");
  constexpr std::int64_t kContext = 2048;  // of the published models
  model.max_position = config.maybe_count("seq_length").value_or(kContext);
  model.tied = config.flag("tie_word_embeddings", true);
  read_ungated(model, true);
  model.embedding_norm = true;
  model.positions = Positions::alibi;
}

void read_gpt2(ConfigReader& config, Architecture& model) {
  model.layers = config.count({"n_layer", "num_hidden_layers"});
  model.hidden = config.count({"n_embd", "hidden_size"});
  model.heads = model.kv_heads = config.count({"n_head", "num_attention_heads"});
  model.head_dim = model.hidden >= model.heads ? model.hidden / model.heads : 1;
  model.ffn = config.maybe_count("n_inner").value_or(4 * model.hidden);
  model.vocab = config.count("vocab_size");
  model.max_position = model.learned_positions = config.count({"n_positions", "max_position_embeddings"});
  model.tied = config.flag("tie_word_embeddings", true);
  read_ungated(model, true);
  model.positions = Positions::learned;
}

}  // namespace joulecast::llm
