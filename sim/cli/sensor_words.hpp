#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "calibration/sensor_learning.hpp"

namespace joulecast::cli {

/// An option's seconds ("0.5", "0.5 s", "500 ms"); nothing where it was not given, a fault where it is no such thing.
std::optional<double> option_amount(const std::string& option, const std::string& text, std::vector<UserFault>& faults);

/// What `--sensor KEY=VALUE` words state: period, window and lag in seconds, gain, offset in watts. Each fault is added.
calibration::SensorStatement sensor_statement(const std::vector<std::string>& words, std::vector<UserFault>& faults);

}  // namespace joulecast::cli
