#include "serving/cost/attention_costs.hpp"

#include <algorithm>

namespace joulecast::serving {

namespace {

/// The head size that operation tables are taken with (see OperationTables).
constexpr std::int64_t kTableHeadSize = 128;

}  // namespace

AttentionCosts::AttentionCosts(const hardware::GpuProfile& gpu, const llm::StepOperations& step, std::int64_t bytes_per_value,
                               const hardware::OperationTables* tables)
    : gpu_(&gpu),
      shape_(step.attention),
      full_layers_(static_cast<double>(step.full_attention_layers)),
      local_layers_(static_cast<double>(step.local_attention_layers)),
      window_(step.window),
      bytes_per_value_(static_cast<double>(bytes_per_value)) {
  if (tables != nullptr && !shape_.latent) {
    generation_ = tables->scaled_generation(shape_.heads, shape_.kv_heads);
    context_ = tables->context_attention(shape_.heads, shape_.kv_heads);
    context_scale_ = static_cast<double>(shape_.head_dim) / static_cast<double>(kTableHeadSize);
  }
  const auto& form = gpu.attention;
  const bool as_tabled = shape_.head_dim == kTableHeadSize && local_layers_ == 0;
  const Provenance decode = generation_.table == nullptr                    ? worst_of(form.launch, form.memory_efficiency)
                            : generation_.sequence_factor > 1 || !as_tabled ? Provenance::calibrated
                                                                            : Provenance::measured;
  const Provenance prompts = context_ == nullptr ? worst_of(form.launch, form.compute_efficiency)
                             : as_tabled         ? Provenance::measured
                                                 : Provenance::calibrated;
  provenance_ = shape_.latent ? Provenance::modelled : worst(decode, prompts);
}

double AttentionCosts::layer_generation(int sequences, double context) const {
  if (generation_.table != nullptr) return generation_.seconds(sequences, context_scale_ * context);
  const double read = static_cast<double>(shape_.cached) * bytes_per_value_ * sequences * context;
  const double seconds = hardware::generation_attention_seconds(*gpu_, read);
  if (!shape_.latent) return seconds;
  // Two FLOP a product. Both sides are linear in sequences * context, hence so is the longer.
  const double flops = 2 * static_cast<double>(shape_.decode_products) * sequences * context;
  return std::max(seconds, hardware::context_attention_seconds(*gpu_, flops));
}

double AttentionCosts::generation(int sequences, double context) const {
  const double full = full_layers_ * layer_generation(sequences, context);
  if (local_layers_ == 0) return full;
  return full + local_layers_ * layer_generation(sequences, std::min(context, static_cast<double>(window_)));
}

double AttentionCosts::layer_chunks(const JoinedChunks& joined) const {
  if (context_ != nullptr) return context_scale_ * hardware::chunk_attention(context_->seconds, joined.tokens, joined.context);
  // Causal: a token at position i multiplies with i keys and i values.
  const double flops = 2 * static_cast<double>(shape_.prompt_products) * llm::tokens_seen(joined.tokens, joined.context, 0);
  return hardware::context_attention_seconds(*gpu_, flops);
}

double AttentionCosts::chunks(const JoinedChunks& joined) const {
  if (joined.tokens <= 0) return 0;
  const double layer = layer_chunks(joined);
  if (local_layers_ == 0) return full_layers_ * layer;
  const double share = llm::tokens_seen(joined.tokens, joined.context, window_) / llm::tokens_seen(joined.tokens, joined.context, 0);
  return (full_layers_ + local_layers_ * share) * layer;
}

std::vector<double> AttentionCosts::knots(int sequences) const {
  std::vector<double> knots;
  if (generation_.table != nullptr) {
    knots = generation_.knots(sequences);
    for (double& knot : knots) knot /= context_scale_;
  }
  if (local_layers_ > 0) {
    const auto window = static_cast<double>(window_);
    const auto after = std::lower_bound(knots.begin(), knots.end(), window);
    if (after == knots.end() || *after != window) knots.insert(after, window);
  }
  return knots;
}

}  // namespace joulecast::serving
