#include "llm/attention_shape.hpp"

#include <algorithm>

namespace joulecast::llm {

AttentionShape attention_shape(const Architecture& model, int t) {
  AttentionShape shape;
  shape.heads = model.heads / t;
  shape.kv_heads = model.kv_heads_per_gpu(t);
  shape.head_dim = model.head_dim;
  shape.cached = model.kv_elements_per_layer_per_gpu(t);
  if (model.latent) {
    const auto& latent = *model.latent;
    shape.latent = true;
    shape.decode_products = shape.heads * (latent.cached() + latent.kv_lora);
    shape.prompt_products = shape.heads * (latent.query_head() + latent.v_head);
  } else {
    shape.decode_products = shape.prompt_products = 2 * shape.heads * shape.head_dim;
  }
  return shape;
}

double tokens_seen(double tokens, double context, std::int64_t window) {
  const double all = tokens * (context + tokens / 2);
  const auto limit = static_cast<double>(window);
  if (window == 0 || context + tokens <= limit) return all;
  const double below = std::clamp(limit - context, 0.0, tokens);  // tokens whose past is within the window
  return below * (context + below / 2) + (tokens - below) * limit;
}

}  // namespace joulecast::llm
