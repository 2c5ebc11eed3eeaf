#pragma once

#include <string_view>
#include <vector>

#include "llm/architecture.hpp"
#include "llm/huggingface/reader.hpp"

namespace joulecast::llm {

/// A model_type and how its keys become an architecture. `text_config`: where the text model of a multimodal one is nested.
struct Family {
  std::string_view model_type;
  void (*read)(ConfigReader& config, Architecture& model);
  bool nested = false;
};

/// The families in alphabetical order of their model_type.
const std::vector<Family>& families();

// What families share.

/// layers, hidden, heads, kv_heads, head_dim, ffn, vocab, max_position and tied by the usual keys.
void read_usual(ConfigReader& config, Architecture& model, bool tied_where_absent);
/// Layers that see `window` by `layer_types`, or one full layer in each `otherwise` (0: none is full).
void read_layer_types(ConfigReader& config, Architecture& model, std::int64_t window, std::int64_t otherwise);

void read_llama(ConfigReader& config, Architecture& model);
void read_mistral(ConfigReader& config, Architecture& model);
void read_mixtral(ConfigReader& config, Architecture& model);
void read_qwen2(ConfigReader& config, Architecture& model);
void read_qwen2_moe(ConfigReader& config, Architecture& model);
void read_qwen3(ConfigReader& config, Architecture& model);
void read_qwen3_moe(ConfigReader& config, Architecture& model);
void read_gemma3(ConfigReader& config, Architecture& model);
void read_gpt_oss(ConfigReader& config, Architecture& model);
void read_llama4(ConfigReader& config, Architecture& model);
void read_deepseek(ConfigReader& config, Architecture& model);
void read_falcon(ConfigReader& config, Architecture& model);
void read_bloom(ConfigReader& config, Architecture& model);
void read_gpt2(ConfigReader& config, Architecture& model);

}  // namespace joulecast::llm
