#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "config/diagnostics.hpp"
#include "config/node.hpp"
#include "config/record.hpp"
#include "control/clock_controller.hpp"
#include "control/power_controller.hpp"
#include "control/scaler.hpp"

namespace joulecast::policy {

// Registered controllers. `make` makes a fresh one from the table `[policy.NAME]` (its `use` is left alone; null for none) and what may be known before
// the run; it reports faults, or throws them as UserError, and returns null where it reported any.

/// Chooses the clocks of a pool's replicas: `[pool.NAME] sm_clock`. Where the facts have no belief yet `make` only checks.
struct ClockControl {
  std::string name;
  std::string text;                           ///< one line
  std::vector<config::Parameter> parameters;  ///< keys of `[policy.NAME]` beside `use`
  std::unique_ptr<control::ClockController> (*make)(const config::Node* parameters, const control::ClockFacts& facts,
                                                    config::Diagnostics& diagnostics);
};

/// Holds the power of a feed or a site: `[feed.NAME] policy`, `[site.NAME] power_policy`.
struct PowerControl {
  std::string name;
  std::string text;
  std::vector<config::Parameter> parameters;
  std::unique_ptr<control::PowerController> (*make)(const config::Node* parameters, const control::PowerFacts& facts,
                                                    config::Diagnostics& diagnostics);
};

/// Loads and unloads a pool's replicas: `[pool.NAME] scaling`.
struct ScalingControl {
  std::string name;
  std::string text;
  std::vector<config::Parameter> parameters;
  std::unique_ptr<control::Scaler> (*make)(const config::Node* parameters, const control::ScalingFacts& facts, config::Diagnostics& diagnostics);
};

/// All of them, in alphabetical order.
const std::vector<ClockControl>& clock_controls();
const std::vector<PowerControl>& power_controls();
const std::vector<ScalingControl>& scaling_controls();
/// The one of that name, or null.
const ClockControl* find_clock_control(std::string_view name);
const PowerControl* find_power_control(std::string_view name);
const ScalingControl* find_scaling_control(std::string_view name);

}  // namespace joulecast::policy
