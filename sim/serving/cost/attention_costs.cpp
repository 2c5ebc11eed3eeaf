#include "serving/cost/attention_costs.hpp"

namespace joulecast::serving {

AttentionCosts::AttentionCosts(const hardware::GpuProfile& gpu, const llm::AttentionShape& shape, std::int64_t layers, std::int64_t bytes_per_value,
                               const hardware::OperationTables* tables)
    : gpu_(&gpu), shape_(shape), layers_(static_cast<double>(layers)), bytes_per_value_(static_cast<double>(bytes_per_value)) {
  if (tables != nullptr) {
    generation_ = tables->scaled_generation(shape.heads, shape.kv_heads);
    context_ = tables->context_attention(shape.heads, shape.kv_heads);
  }
  const auto& form = gpu.attention;
  const Provenance decode = generation_.table == nullptr      ? worst_of(form.launch, form.memory_efficiency)
                            : generation_.sequence_factor > 1 ? Provenance::calibrated
                                                              : Provenance::measured;
  provenance_ = worst(decode, context_ != nullptr ? Provenance::measured : worst_of(form.launch, form.compute_efficiency));
}

double AttentionCosts::generation(int sequences, double context) const {
  if (generation_.table != nullptr) return layers_ * generation_.seconds(sequences, context);
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

std::vector<double> AttentionCosts::knots(int sequences) const {
  return generation_.table == nullptr ? std::vector<double>{} : generation_.knots(sequences);
}

}  // namespace joulecast::serving
