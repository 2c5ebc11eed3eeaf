#include "llm/huggingface/families.hpp"

namespace joulecast::llm {

void read_llama(ConfigReader& config, Architecture& model) {
  read_usual(config, model, false);
  model.biases.qkv = model.biases.output = config.flag("attention_bias", false);
  model.biases.ffn = config.flag("mlp_bias", false);
}

void read_mistral(ConfigReader& config, Architecture& model) {
  read_usual(config, model, false);
  if (const auto window = config.maybe_count("sliding_window")) model.local = LocalAttention{*window, 0};
}

void read_qwen2(ConfigReader& config, Architecture& model) {
  read_usual(config, model, false);
  model.biases.qkv = true;
  if (config.flag("use_sliding_window", false)) {
    config.refuse("\"use_sliding_window\" is true, which is not supported for this family", "the published models have it false");
  }
}

void read_qwen3(ConfigReader& config, Architecture& model) {
  read_qwen2(config, model);
  model.qk_norm = true;
  model.biases.qkv = model.biases.output = config.flag("attention_bias", false);
}

/// The text model; local layers come first, the last of each group sees all.
void read_gemma3(ConfigReader& config, Architecture& model) {
  read_usual(config, model, true);
  model.norms_per_layer = 4;
  model.qk_norm = true;
  constexpr std::int64_t kPattern = 6;  // transformers' default of sliding_window_pattern for this model_type
  read_layer_types(config, model, config.count("sliding_window"), config.maybe_count("sliding_window_pattern").value_or(kPattern));
}

}  // namespace joulecast::llm
