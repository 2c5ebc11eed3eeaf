#include "serving/clock_sweep.hpp"

#include <algorithm>
#include <vector>

#include "serving/cost/pool_costs.hpp"

namespace joulecast::serving {
namespace {

std::vector<control::ClockedStep> steps_of(const StepCosts& costs, const EngineConfig& engine) {
  std::vector<control::ClockedStep> steps;
  const std::int64_t kv_tokens = (engine.num_gpu_blocks - 1) * engine.block_size;
  const std::int64_t longest = engine.max_model_len > 0 ? std::min(engine.max_model_len, kv_tokens) : kv_tokens;
  std::vector<std::int64_t> contexts;
  for (const std::int64_t wanted : {256, 1024, 4096}) contexts.push_back(std::min<std::int64_t>(wanted, longest));
  contexts.erase(std::unique(contexts.begin(), contexts.end()), contexts.end());
  if (contexts.size() == 1) contexts.insert(contexts.begin(), std::max<std::int64_t>(1, contexts.front() / 4));
  for (std::int64_t n = 1; n <= engine.max_num_seqs; n *= 2) {
    for (const std::int64_t context : contexts) {
      if (n > 1 && n * context > kv_tokens) continue;
      const DecodeSegment& segment = costs.decode(Phase::decode, static_cast<int>(n), n * context);
      const FixedTime seconds = segment.base_seconds + (n * context) * segment.attention_seconds_per_context;
      const FixedEnergy joules = segment.base_joules + (n * context) * segment.attention_joules_per_context;
      steps.push_back({static_cast<double>(n), static_cast<double>(n * context), 0, seconds.units(), joules.units()});
    }
  }
  const std::int64_t most = std::min(engine.max_num_batched_tokens, longest);
  for (std::int64_t tokens = std::min<std::int64_t>(128, std::max<std::int64_t>(1, most / 2)); tokens <= most; tokens *= 2) {
    const Chunk chunk{tokens, 0};
    const StepCost step = costs.mixed(Phase::prefill, std::span(&chunk, 1), 0, 0);
    steps.push_back({0, 0, static_cast<double>(tokens), step.total_seconds().units(), step.total_joules().units()});
  }
  return steps;
}

}  // namespace

control::ClockBelief clock_sweep(const StepCosts& costs, const OperatingPoint& point, const EngineConfig& engine, std::span<const Hertz> clocks) {
  control::ClockBelief belief;
  belief.tokens_a_step = engine.speculative.expected_tokens();
  for (const Hertz clock : clocks) {
    OperatingPoint at = point;
    at.prefill_clock = at.decode_clock = clock;
    belief.points.push_back(control::fit_clock_point(clock, steps_of(*costs.at_point(at), engine), belief.worst_error));
  }
  return belief;
}

}  // namespace joulecast::serving
