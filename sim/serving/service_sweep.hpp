#pragma once

#include "control/service_belief.hpp"
#include "serving/engine_config.hpp"
#include "serving/step_cost.hpp"

namespace joulecast::serving {

/// What an operator who profiles a replica would believe of its steps: decode steps of 1, 2, 4 .. max_num_seqs sequences at contexts of 1/16, 1/4 and
/// the whole of `longest` tokens a sequence, as far as KV holds them, and prompts of 1/64 .. the whole of it, chunked as the engine does.
control::ServiceBelief profile_service(const StepCosts& costs, const EngineConfig& engine, std::int64_t longest);

}  // namespace joulecast::serving
