#pragma once

#include <span>

#include "control/clock_belief.hpp"
#include "serving/engine_config.hpp"
#include "serving/step_cost.hpp"

namespace joulecast::serving {

struct OperatingPoint;

/// What an operator who profiles a replica finds at each of `clocks` (rising): decode steps of 1 to max_num_seqs sequences, doubling, at mean contexts
/// of 256, 1024 and 4096 tokens as far as the model and KV hold them, and prompts of 128 tokens to max_num_batched_tokens, doubling. `costs` are those
/// of `point`, whose cap and speed hold in the sweep.
control::ClockBelief clock_sweep(const StepCosts& costs, const OperatingPoint& point, const EngineConfig& engine, std::span<const Hertz> clocks);

}  // namespace joulecast::serving
