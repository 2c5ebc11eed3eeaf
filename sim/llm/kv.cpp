#include <algorithm>

#include "llm/layers.hpp"

namespace joulecast::llm {

std::int64_t Architecture::kv_elements_per_token() const {
  if (form == Form::encoder) return 0;
  return count_layers(*this).attention * kv_elements_per_layer_per_gpu(1);
}

std::int64_t Architecture::kv_elements(std::int64_t context) const {
  if (form == Form::encoder) return 0;
  const LayerCounts counts = count_layers(*this);
  const std::int64_t seen = local ? std::min(context, local->window) : context;
  return kv_elements_per_layer_per_gpu(1) * ((counts.attention - counts.local) * context + counts.local * seen);
}

std::int64_t Architecture::kv_bytes_per_token_per_gpu(int t) const {
  if (form == Form::encoder) return 0;
  return count_layers(*this).attention * kv_elements_per_layer_per_gpu(t) * bytes_per_value();
}

}  // namespace joulecast::llm
