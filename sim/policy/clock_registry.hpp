#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "config/diagnostics.hpp"
#include "config/node.hpp"
#include "config/record.hpp"
#include "training/clock_planner.hpp"

namespace joulecast::policy {

/// A registered policy that plans the clocks of a training job: `[training.NAME] sm_clock`.
struct ClockPolicy {
  std::string name;
  std::string text;                           ///< one line
  std::vector<config::Parameter> parameters;  ///< keys of `[policy.NAME]` beside `use`
  /// Makes a fresh one. `parameters` is the table `[policy.NAME]` (its `use` is left alone) or null for none; faults, unknown keys too, are reported.
  std::unique_ptr<training::ClockPlanner> (*make)(const config::Node* parameters, config::Diagnostics& diagnostics);
};

/// All of them, in alphabetical order.
const std::vector<ClockPolicy>& clock_policies();
/// The one of that name, or null.
const ClockPolicy* find_clock_policy(std::string_view name);
std::vector<std::string> clock_policy_names();

}  // namespace joulecast::policy
