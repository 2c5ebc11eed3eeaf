#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "config/diagnostics.hpp"
#include "llm/blocks.hpp"

namespace joulecast::llm {

/// The shape of a transformer: what its weights, its cache and its work follow from. One block after the other of attention and feed-forward layer,
/// or of what `pattern` says.
struct Architecture {
  std::string file;
  std::string name;  ///< Hugging Face id: "meta-llama/Llama-3.1-8B"
  std::vector<std::string> aliases;
  std::string source;
  double stated_parameters = 0;         ///< what the maker says, in parameters
  double stated_active_parameters = 0;  ///< those a token goes through; 0 where nobody says

  Form form = Form::decoder;
  std::int64_t layers = 0;          ///< of the decoder, or of an encoder that stands alone
  std::int64_t encoder_layers = 0;  ///< of the encoder beside a decoder
  std::int64_t hidden = 0, heads = 0, kv_heads = 0, head_dim = 0, ffn = 0, vocab = 0, max_position = 0;
  bool gated = true;  ///< gate and up projection (SwiGLU); else one up projection
  bool tied = false;  ///< unembedding shares the embedding's weights
  DataType dtype = DataType::bf16;
  WeightTypes weights;

  Norm norm = Norm::rms;
  std::int64_t norms_per_layer = 2;
  bool final_norm = true, embedding_norm = false;
  bool qk_norm = false;          ///< a norm of query and key heads
  bool attention_sinks = false;  ///< a learned score a head
  bool parallel_blocks = false;  ///< attention and feed-forward layer read the same input and are summed: one all-reduce a layer
  Biases biases;
  Positions positions = Positions::rotary;
  std::int64_t learned_positions = 0;        ///< rows of learned position and segment embeddings
  bool active_leaves_embedding_out = false;  ///< the maker's active count is without the input embedding
  std::optional<LatentAttention> latent;
  std::optional<LocalAttention> local;
  std::optional<Experts> experts;
  std::optional<Mamba> mamba;
  std::string pattern;  ///< one letter a layer: M Mamba, - feed-forward, * attention; "" for blocks of attention and feed-forward layer
  OtherParameters other;

  std::int64_t parameters() const;
  /// Parameters a token goes through: per_token of the experts, and the embedding unless the maker's count leaves it out.
  std::int64_t active_parameters() const;

  /// Bytes of one activation or KV value.
  std::int64_t bytes_per_value() const { return static_cast<std::int64_t>(bytes(dtype)); }
  /// Bytes of all weights as stored.
  std::int64_t weight_bytes() const;
  /// Bytes of the weights on each of t GPUs: an even share, but for what each holds whole (routers, latent down-projections).
  double weight_bytes_per_gpu(int t) const;

  /// K and V elements a token over all layers (a decoder's own), no window counted: 2 * kv_heads * head_dim a layer, or the latent's kv_lora +
  /// qk_rope.
  std::int64_t kv_elements_per_token() const;
  /// K and V elements that a sequence of so many tokens holds where local layers keep their window only.
  std::int64_t kv_elements(std::int64_t context) const;
  std::int64_t kv_bytes_per_token() const { return kv_elements_per_token() * bytes_per_value(); }
  /// KV heads on each GPU at tensor parallelism t: at least one (vLLM replicates where t exceeds the heads).
  std::int64_t kv_heads_per_gpu(int t) const { return kv_heads >= t ? kv_heads / t : 1; }
  /// K and V elements of a token in one layer on one GPU; a latent is held whole by each.
  std::int64_t kv_elements_per_layer_per_gpu(int t) const { return latent ? latent->cached() : 2 * kv_heads_per_gpu(t) * head_dim; }
  std::int64_t kv_bytes_per_token_per_gpu(int t) const;
};

/// Reads an architecture and reports every fault.
Architecture load_architecture(const std::string& path, config::Diagnostics& diagnostics);

/// The architecture as a file of workloads/models; load_architecture reads it back the same. Keys that keep their default are left out.
std::string architecture_toml(const Architecture& model);

/// The same model with its matrices stored as `type` (fp8, mxfp4): `quantization` of a scenario's model.
Architecture quantized(Architecture model, DataType type);

}  // namespace joulecast::llm
