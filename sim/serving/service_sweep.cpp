#include "serving/service_sweep.hpp"

#include <algorithm>
#include <vector>

namespace joulecast::serving {
namespace {

control::ProfiledStep step(const StepCosts& costs, std::int64_t sequences, std::int64_t context) {
  const DecodeSegment& segment = costs.decode(Phase::decode, static_cast<int>(sequences), context);
  const FixedTime seconds = segment.base_seconds + context * segment.attention_seconds_per_context;
  const FixedEnergy joules = segment.base_joules + context * segment.attention_joules_per_context;
  return {static_cast<double>(sequences), static_cast<double>(context), seconds.units(), joules.units()};
}

control::ProfiledPrompt prompt(const StepCosts& costs, const EngineConfig& engine, std::int64_t tokens) {
  FixedTime seconds;
  FixedEnergy joules;
  for (std::int64_t done = 0; done < tokens; done += engine.max_num_batched_tokens) {
    const Chunk chunk{std::min(engine.max_num_batched_tokens, tokens - done), done};
    const StepCost cost = costs.mixed(Phase::prefill, std::span(&chunk, 1), 0, 0);
    seconds += cost.total_seconds();
    joules += cost.total_joules();
  }
  return {static_cast<double>(tokens), seconds.units(), joules.units()};
}

}  // namespace

control::ServiceBelief profile_service(const StepCosts& costs, const EngineConfig& engine, std::int64_t longest) {
  const std::int64_t kv_tokens = (engine.num_gpu_blocks - 1) * engine.block_size;
  const std::int64_t most = std::min(engine.max_model_len, kv_tokens);
  longest = std::clamp(longest, std::min<std::int64_t>(64, most), most);
  std::vector<control::ProfiledStep> steps;
  for (std::int64_t sequences = 1; sequences <= engine.max_num_seqs; sequences *= 2) {
    for (const std::int64_t share : {16, 4, 1}) {
      const std::int64_t context = sequences * std::max<std::int64_t>(1, longest / share);
      if (context <= kv_tokens) steps.push_back(step(costs, sequences, context));
    }
  }
  std::vector<control::ProfiledPrompt> prompts;
  for (std::int64_t share = 64; share >= 1; share /= 2) prompts.push_back(prompt(costs, engine, std::max<std::int64_t>(1, longest / share)));
  const double idle_watts = 1e9 * costs.idle_joules_per_nanosecond().units();
  control::ServiceBelief belief = control::fit_service_belief(steps, prompts, idle_watts);
  belief.tokens_a_step = engine.speculative.expected_tokens();
  return belief;
}

}  // namespace joulecast::serving
