#pragma once

#include <cstdint>
#include <string>

#include "llm/data_type.hpp"

namespace joulecast::llm {

/// Multi-head latent attention (DeepSeek-V2, arXiv 2405.04434, section 2.1): keys and values of all heads are projections of one latent of `kv_lora`
/// elements a token, beside which stand `qk_rope` elements of a shared rotary key. The cache holds these kv_lora + qk_rope elements.
struct LatentAttention {
  std::int64_t q_lora = 0;  ///< width of the compressed query; 0: not compressed
  std::int64_t kv_lora = 0, qk_nope = 0, qk_rope = 0, v_head = 0;

  std::int64_t query_head() const { return qk_nope + qk_rope; }
  std::int64_t cached() const { return kv_lora + qk_rope; }
};

/// Layers whose tokens see no more than the last `window` tokens.
///
/// Chunked attention (Llama 4), where a token sees what stands before it in its own chunk, is taken as a window of the chunk's length: exact for
/// contexts up to one chunk; beyond it a token sees half a chunk on average, so decode reads are an upper bound there.
struct LocalAttention {
  std::int64_t window = 0;
  std::int64_t full_every = 0;  ///< each so-many-th layer (counted from 1) sees all; 0: none does
};

/// A mixture of experts in place of a feed-forward layer: each token goes through `per_token` of `count` experts of width `ffn` and through `shared`
/// ones.
struct Experts {
  std::int64_t count = 0, per_token = 0, shared = 0, ffn = 0;
  std::int64_t shared_ffn = 0;   ///< width of all shared experts together; 0: shared * ffn
  std::int64_t dense_first = 0;  ///< so many first layers have a dense feed-forward layer instead
  std::int64_t every = 1;        ///< of the others each so-many-th layer (counted from 1 over all layers) has experts, the rest are dense
  bool router_bias = false;      ///< a bias an expert in the router

  std::int64_t shared_width() const { return shared_ffn > 0 ? shared_ffn : shared * ffn; }
};

/// Mamba-2 mixers (arXiv 2405.21060): state `state` for each of heads * head_dim channels.
struct Mamba {
  std::int64_t heads = 0, head_dim = 0, state = 0, groups = 0, conv = 0;

  std::int64_t inner() const { return heads * head_dim; }
  std::int64_t conv_channels() const { return inner() + 2 * groups * state; }
};

/// Which projections have a bias.
struct Biases {
  bool qkv = false, output = false, ffn = false, experts = false;
};

/// Data types of weight matrices; all else (embeddings, router, norms, biases, activations, KV) has the model's `dtype`.
struct WeightTypes {
  DataType linear = DataType::bf16;   ///< attention, dense feed-forward layers, shared experts, Mamba projections
  DataType experts = DataType::bf16;  ///< routed experts
};

/// Parameters that no block of ours holds, such as a vision tower.
struct OtherParameters {
  std::int64_t count = 0;
  std::string what;
  bool active = false;  ///< a token of text goes through them
};

enum class Form : std::uint8_t { decoder, encoder, encoder_decoder };
enum class Positions : std::uint8_t { rotary, learned, alibi, relative, none };
enum class Norm : std::uint8_t { rms, layer };

}  // namespace joulecast::llm
