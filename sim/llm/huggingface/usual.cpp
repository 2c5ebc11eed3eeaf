#include <fmt/format.h>

#include <algorithm>

#include "llm/huggingface/families.hpp"

namespace joulecast::llm {

const std::vector<Family>& families() {
  static const std::vector<Family> all = {
      {"RefinedWeb", read_falcon},
      {"RefinedWebModel", read_falcon},
      {"bloom", read_bloom},
      {"deepseek_v2", read_deepseek},
      {"deepseek_v3", read_deepseek},
      {"falcon", read_falcon},
      {"gemma3", read_gemma3, true},
      {"gemma3_text", read_gemma3},
      {"gpt2", read_gpt2},
      {"gpt_oss", read_gpt_oss},
      {"llama", read_llama},
      {"llama4", read_llama4, true},
      {"llama4_text", read_llama4},
      {"mistral", read_mistral},
      {"mixtral", read_mixtral},
      {"qwen2", read_qwen2},
      {"qwen2_moe", read_qwen2_moe},
      {"qwen3", read_qwen3},
      {"qwen3_moe", read_qwen3_moe},
  };
  return all;
}

void read_usual(ConfigReader& config, Architecture& model, bool tied_where_absent) {
  model.layers = config.count("num_hidden_layers");
  model.hidden = config.count("hidden_size");
  model.heads = config.count("num_attention_heads");
  model.kv_heads = config.maybe_count("num_key_value_heads").value_or(model.heads);
  model.head_dim = config.maybe_count("head_dim").value_or(std::max<std::int64_t>(1, model.hidden / model.heads));
  model.ffn = config.count("intermediate_size");
  model.vocab = config.count("vocab_size");
  model.max_position = config.count("max_position_embeddings");
  model.tied = config.flag("tie_word_embeddings", tied_where_absent);
}

void read_layer_types(ConfigReader& config, Architecture& model, std::int64_t window, std::int64_t otherwise) {
  const std::vector<std::string> types = config.words("layer_types");
  if (types.empty()) {
    if (otherwise != 1) model.local = LocalAttention{window, otherwise};
    return;
  }
  const auto full = [](const std::string& type) { return type == "full_attention"; };
  if (static_cast<std::int64_t>(types.size()) != model.layers) {
    config.refuse(fmt::format("\"layer_types\" has {} entries for {} layers", types.size(), model.layers), "give the whole config.json");
    return;
  }
  for (const auto& type : types) {
    if (full(type) || type == "sliding_attention" || type == "chunked_attention") continue;
    config.refuse(fmt::format("a layer of type \"{}\" is not supported", type), "full_attention, sliding_attention and chunked_attention are");
    return;
  }
  const auto first = std::find_if(types.begin(), types.end(), full) - types.begin();
  const std::int64_t every = first == static_cast<std::ptrdiff_t>(types.size()) ? 0 : first + 1;
  for (std::size_t i = 0; i < types.size(); ++i) {
    const bool expected = every != 0 && (static_cast<std::int64_t>(i) + 1) % every == 0;
    if (full(types[i]) == expected) continue;
    config.refuse(fmt::format("\"layer_types\" does not have one full layer in each {}: layer {} breaks the pattern", every, i),
                  "write the model's file by hand, as if local layers saw all");
    return;
  }
  if (every != 1) model.local = LocalAttention{window, every};
}

}  // namespace joulecast::llm
