#include "serving/cost/attention_costs.hpp"

#include <algorithm>
#include <cmath>

#include "hardware/forms.hpp"

namespace joulecast::serving {

JoinedChunks join(std::span<const Chunk> chunks) {
  double tokens = 0, read = 0;
  for (const auto& chunk : chunks) {
    const auto c = static_cast<double>(chunk.tokens);
    tokens += c;
    read += c * (static_cast<double>(chunk.context) + c / 2);
  }
  return {tokens, tokens > 0 ? std::max(0.0, read / tokens - tokens / 2) : 0};
}

AttentionCosts::AttentionCosts(const hardware::GpuProfile& gpu, const llm::AttentionShape& shape, std::int64_t layers, std::int64_t bytes_per_value,
                               const hardware::OperationTables* tables)
    : gpu_(&gpu), shape_(shape), layers_(static_cast<double>(layers)), bytes_per_value_(static_cast<double>(bytes_per_value)) {
  if (tables != nullptr) {
    generation_ = tables->generation_attention(shape.heads, shape.kv_heads);
    context_ = tables->context_attention(shape.heads, shape.kv_heads);
  }
  if (generation_ != nullptr && context_ != nullptr) {
    provenance_ = Provenance::measured;
  } else {
    provenance_ = worst(worst(hardware::provenance(gpu.attention.launch.kind), hardware::provenance(gpu.attention.memory_efficiency.kind)),
                        hardware::provenance(gpu.attention.compute_efficiency.kind));
  }
}

double AttentionCosts::generation(int sequences, double context) const {
  if (generation_ != nullptr) return layers_ * generation_->seconds.at(sequences, context);
  const double kv_bytes = 2 * static_cast<double>(shape_.kv_heads) * static_cast<double>(shape_.head_dim) * bytes_per_value_ * sequences * context;
  return layers_ * hardware::generation_attention_seconds(*gpu_, kv_bytes);
}

double AttentionCosts::chunks(const JoinedChunks& joined) const {
  if (joined.tokens <= 0) return 0;
  if (context_ != nullptr) return layers_ * hardware::chunk_attention(context_->seconds, joined.tokens, joined.context);
  // Causal: a token at position i multiplies with i keys and i values.
  const double read = joined.tokens * (joined.context + joined.tokens / 2);
  const double flops = 4 * static_cast<double>(shape_.heads) * static_cast<double>(shape_.head_dim) * read;
  return layers_ * hardware::context_attention_seconds(*gpu_, flops);
}

std::vector<std::int64_t> AttentionCosts::knots(int sequences, std::int64_t longest) const {
  std::vector<std::int64_t> whole{1};
  if (generation_ != nullptr) {
    for (const double knot : generation_->seconds.knots_at(sequences)) {
      const auto context = static_cast<std::int64_t>(std::ceil(knot));
      if (context > whole.back() && context < longest) whole.push_back(context);
    }
  }
  if (longest > whole.back()) whole.push_back(longest);
  return whole;
}

}  // namespace joulecast::serving
