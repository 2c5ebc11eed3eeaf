#pragma once

#include <optional>
#include <span>

#include "calibration/clock_curve.hpp"

namespace joulecast::calibration::detail {

/// Which figures of a clock curve are searched for; the others are kept, or the curve is level.
struct ClockFreedom {
  bool ceiling = false, sharpness = false, voltage = false, slope = false;
  bool operator==(const ClockFreedom&) const = default;
};

/// The least-squares curve with these figures free; nothing where the points do not identify them from any start.
std::optional<ClockCurve> search_clock_curve(std::span<const ClockPoint> points, Hertz top, const ClockShape& kept, const ClockFreedom& freedom);

}  // namespace joulecast::calibration::detail
