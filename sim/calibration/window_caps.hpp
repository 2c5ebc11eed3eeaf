#pragma once

#include <vector>

#include "calibration/power_cap_curve.hpp"
#include "traces/power/log.hpp"

namespace joulecast::calibration {

/// The limits and lengths of windows that are named by the limit they ran under, as Zeus's GlobalPowerLimitOptimizer names its own
/// ("__GlobalPowerLimitOptimizer_300": the same number of steps at 300 W). Rising limits; a limit seen twice has the mean length. Empty where none is.
std::vector<CapPoint> cap_points_of_windows(const traces::PowerLog& log);

}  // namespace joulecast::calibration
