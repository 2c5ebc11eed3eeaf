#pragma once

#include <cstdint>
#include <memory>

#include "scenario/scenario.hpp"
#include "serving/cost/pool_costs.hpp"
#include "serving/step_cost.hpp"

namespace joulecast::scenario {

/// What a pool's steps cost: from the profile's layer table for the model where there is one, else bottom-up from operations; through the
/// pool's measured steps where it names them.
std::unique_ptr<serving::StepCosts> pool_costs(const Scenario& scenario, const Pool& pool);

/// What the pool sets its GPUs to.
serving::OperatingPoint operating_point(const Scenario& scenario, const Pool& pool);

/// Bytes that a KV block of the pool takes on all GPUs of a tensor-parallel group, a draft's too: what goes over the network.
std::int64_t kv_block_bytes(const Pool& pool);

/// "1980 MHz", or "1980 MHz prefill, 1410 MHz decode".
std::string clock_text(const Scenario& scenario, const Pool& pool);

}  // namespace joulecast::scenario
