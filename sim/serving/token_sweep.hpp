#pragma once

#include <cstdint>
#include <vector>

#include "base/fixed.hpp"
#include "control/energy_belief.hpp"
#include "serving/engine_config.hpp"
#include "serving/step_cost.hpp"

namespace joulecast::serving {

/// Active joules of `batch` equal requests that a replica serves together with nothing else beside them: all prompts first, as many a step as
/// max_num_batched_tokens holds and longer ones in chunks of it, then output - 1 decode steps of all. Lengths in tokens, at least 1.
FixedEnergy joules_together(const StepCosts& costs, const EngineConfig& engine, std::int64_t batch, std::int64_t input, std::int64_t output);

/// What an operator who profiles a replica finds: joules a request over a grid of lengths that spans `range`, eight lengths an axis at equal ratios
/// (apart by a factor of 8 at least from end to end). A batch larger than max_num_seqs or than the KV cache holds is served as large as it can be;
/// lengths above the context are left out.
std::vector<control::ProfiledRequest> token_sweep(const StepCosts& costs, const EngineConfig& engine, std::int64_t batch,
                                                  const control::TokenRange& range);

}  // namespace joulecast::serving
