#pragma once

#include <cstdint>

#include "llm/architecture.hpp"

namespace joulecast::llm {

/// One layer's attention on one GPU.
///
/// Latent attention decodes in the absorbed form: the up-projections of keys and values are folded into query and output (they stand among the step's
/// GEMMs), and all heads attend to the latent itself, kv_lora + qk_rope wide for scores and kv_lora for values. Prompts are taken in the plain form,
/// heads of qk_nope + qk_rope and v_head; that the latents of earlier chunks are projected again is left out.
struct AttentionShape {
  std::int64_t heads = 0, kv_heads = 0, head_dim = 0;
  bool latent = false;
  std::int64_t cached = 0;           ///< elements that a token leaves in the cache: 2*kv_heads*head_dim, or kv_lora + qk_rope
  std::int64_t decode_products = 0;  ///< multiply-adds of a decoding token with each token that it sees, all heads
  std::int64_t prompt_products = 0;  ///< the same of a prompt's token
};

/// At tensor parallelism t.
AttentionShape attention_shape(const Architecture& model, int t);

/// Tokens that `tokens` tokens of a prompt after `context` see in all, each itself included by half: tokens * (context + tokens/2); with a window
/// (0: none) no token sees more than that many.
double tokens_seen(double tokens, double context, std::int64_t window);

}  // namespace joulecast::llm
