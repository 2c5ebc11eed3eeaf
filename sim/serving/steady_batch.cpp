#include "serving/steady_batch.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace joulecast::serving {

namespace {

/// Above this batch no more prompts come in a step (see SteadyBatch::of). Inferred from the runs of ml-energy/leaderboard v3,
/// whose files do not say how many came.
constexpr double kPromptsUpToBatch = 512;

}  // namespace

SteadyBatch SteadyBatch::of(double batch, double prompt_tokens, double output_tokens) {
  return {static_cast<int>(std::max<long long>(1, std::llround(batch))), prompt_tokens, output_tokens,
          std::min(batch, kPromptsUpToBatch) / output_tokens};
}

double SteadyCost::total_seconds() const { return std::accumulate(seconds.begin(), seconds.end(), 0.0); }
double SteadyCost::total_joules() const { return std::accumulate(joules.begin(), joules.end(), 0.0); }

SteadyCost steady_cost(const StepCosts& costs, const SteadyBatch& batch) {
  const int n = batch.sequences;
  const auto context = static_cast<std::int64_t>(std::llround(n * batch.mean_context()));
  const auto& segment = costs.decode(Phase::decode, n, context);

  const auto whole = std::max<std::int64_t>(1, std::llround(batch.prompts_a_step));
  const auto prompt = std::max<std::int64_t>(1, std::llround(batch.prompt_tokens));
  const std::vector<Chunk> chunks(static_cast<std::size_t>(whole), Chunk{prompt, 0});
  const auto mixed = costs.mixed(Phase::decode, chunks, n, context);

  SteadyCost cost;
  cost.mixed_share = std::min(1.0, batch.prompts_a_step / static_cast<double>(whole));
  cost.mixed_tokens = static_cast<double>(n + whole * prompt);
  cost.mixed_sequences = static_cast<double>(n + whole);
  const auto mean = [&](double decode, double with_prompts) { return decode + cost.mixed_share * (with_prompts - decode); };
  for (int i = 0; i < kWorks; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const bool attention = i == static_cast<int>(Work::attention);
    const double seconds = (segment.base.seconds[at] + (attention ? context : 0) * segment.attention_seconds_per_context).units();
    const double joules = (segment.base.joules[at] + (attention ? context : 0) * segment.attention_joules_per_context).units();
    cost.seconds[at] = mean(seconds, mixed.seconds[at].units());
    cost.joules[at] = mean(joules, mixed.joules[at].units());
  }
  cost.tokens = mean(n, cost.mixed_tokens);
  cost.scheduled = mean(n, cost.mixed_sequences);
  cost.joules_per_token = cost.total_joules() / n;
  return cost;
}

}  // namespace joulecast::serving
