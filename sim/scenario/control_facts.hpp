#pragma once

#include <optional>

#include "control/clock_controller.hpp"
#include "control/power_controller.hpp"
#include "control/scaler.hpp"
#include "scenario/placement.hpp"
#include "scenario/scenario.hpp"

namespace joulecast::scenario {

/// What controllers may know of a checked scenario before the run.

/// Whether the pool answers requests of the traffic, or what comes after their prompts.
bool serves(const Traffic& traffic, std::size_t pool);
/// The pool's facts without a belief.
control::ClockFacts clock_facts(const Scenario& scenario, std::size_t pool);
/// What profiling a replica alone at a dozen clocks up to the reference gives.
control::ClockBelief clock_belief(const Scenario& scenario, std::size_t pool);
control::ScalingFacts scaling_facts(const Scenario& scenario, std::size_t pool);
/// Of the feed, or of the whole site. `pools` becomes the pools with nodes there.
control::PowerFacts power_facts(const Scenario& scenario, std::size_t site, std::optional<std::size_t> feed, std::vector<std::size_t>& pools);

}  // namespace joulecast::scenario
