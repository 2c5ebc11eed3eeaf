#include "calibration/meter_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "fit/least_squares.hpp"

namespace joulecast::calibration {
namespace {

constexpr double kMostShift = 2, kLeastShift = 0.05, kLeastCost = 0.001;
constexpr std::int64_t kStretch = 1'000'000'000;

}  // namespace

std::string MeterCheck::shift_text() const {
  if (std::abs(shift.seconds) < kLeastShift || std::abs(error_as_read - error_aligned) < kLeastCost) return {};
  return fmt::format("the readings lie {:.2f} s {} than the meter: the window's energy is read {:+.1f} % wrong, and {:+.1f} % when moved back",
                     std::abs(shift.seconds), shift.seconds > 0 ? "later" : "earlier", 100 * error_as_read, 100 * error_aligned);
}

MeterCheck check_meter(const StepSignal& meter, const StepSignal& shown, std::int64_t from_ns, std::int64_t to_ns) {
  if (from_ns < std::max(meter.begin_ns(), shown.begin_ns()) || to_ns > std::min(meter.last_ns(), shown.last_ns()) ||
      to_ns - from_ns < 3 * kStretch) {
    throw UserError({}, "meter and log do not cover three seconds together", "log both at the same time; check the time zones of both");
  }
  MeterCheck check;
  check.shift = align(meter, shown, kMostShift);
  const auto later = static_cast<std::int64_t>(std::llround(check.shift.seconds * 1e9));
  const double joules = meter.joules(from_ns, to_ns);
  check.error_as_read = shown.joules(from_ns, to_ns) / joules - 1;
  check.error_aligned = shown.joules(from_ns + later, to_ns + later) / joules - 1;
  fit::Design design({"gain"});
  double least = INFINITY, most = 0;
  const std::int64_t begin = std::max(meter.begin_ns(), shown.begin_ns() - later), end = std::min(meter.last_ns(), shown.last_ns() - later);
  for (std::int64_t t = begin; t + kStretch <= end; t += kStretch) {
    const double x = meter.mean(t, t + kStretch);
    least = std::min(least, x);
    most = std::max(most, x);
    design.add(std::span(&x, 1), shown.mean(t + later, t + later + kStretch));
  }
  check.offset_fitted = most >= 2 * least && design.rows() >= 6;
  if (!check.offset_fitted) {
    check.gain = 1 + check.error_aligned;
    return check;
  }
  const fit::LinearFit line = fit::least_squares(design, fit::Intercept::fitted);
  check.gain = line.coefficients[0];
  check.offset = line.intercept;
  const fit::Interval gain = line.covariance.interval(0, check.gain, 0.8), offset = line.covariance.interval(1, check.offset, 0.8);
  check.figures = {{"gain", "1", check.gain, gain.low, gain.high, false}, {"offset", "W", check.offset, offset.low, offset.high, false}};
  return check;
}

}  // namespace joulecast::calibration
