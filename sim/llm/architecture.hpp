#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "config/diagnostics.hpp"

namespace joulecast::llm {

/// The shape of a dense decoder-only transformer (RMSNorm, rotary positions, no biases).
struct Architecture {
  std::string file;
  std::string name;  ///< Hugging Face id: "meta-llama/Llama-3.1-8B"
  std::vector<std::string> aliases;
  std::int64_t layers = 0, hidden = 0, heads = 0, kv_heads = 0, head_dim = 0, ffn = 0, vocab = 0, max_position = 0;
  bool gated = true;             ///< gate and up projection (SwiGLU); else one up projection
  bool tied = false;             ///< unembedding shares the embedding's weights
  std::string dtype;             ///< "bf16" or "fp16": 2 bytes
  double stated_parameters = 0;  ///< what the maker says, in parameters
  std::string source;

  std::int64_t parameters() const;
  std::int64_t bytes_per_value() const { return 2; }
  std::int64_t weight_bytes() const { return parameters() * bytes_per_value(); }
  /// K and V elements a token over all layers.
  std::int64_t kv_elements_per_token() const { return 2 * layers * kv_heads * head_dim; }

  /// KV heads on each GPU at tensor parallelism t: at least one (vLLM replicates where t exceeds the heads).
  std::int64_t kv_heads_per_gpu(int t) const { return kv_heads >= t ? kv_heads / t : 1; }
  std::int64_t kv_bytes_per_token_per_gpu(int t) const { return 2 * layers * kv_heads_per_gpu(t) * head_dim * bytes_per_value(); }
  std::int64_t kv_bytes_per_token() const { return kv_elements_per_token() * bytes_per_value(); }
};

/// Reads an architecture and reports every fault.
Architecture load_architecture(const std::string& path, config::Diagnostics& diagnostics);

/// Throws UserError at `place` where the model can't be split over t GPUs: t must divide the heads and the FFN width, and divide or be a multiple
/// of the KV heads.
void check_tensor_parallel(const Architecture& model, int t, const Place& place);

}  // namespace joulecast::llm
