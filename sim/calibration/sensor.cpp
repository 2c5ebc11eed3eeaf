#include "calibration/sensor.hpp"

#include <fmt/format.h>

#include <cmath>

#include "base/error.hpp"

namespace joulecast::calibration {
namespace {

std::int64_t nanoseconds(double seconds) { return std::llround(seconds * 1e9); }

}  // namespace

std::vector<double> SensorModel::readings(const StepSignal& truth, std::span<const std::int64_t> polls_ns, std::int64_t phase_ns) const {
  JOULECAST_CHECK(period > 0 && window >= 0, "a sensor without a period");
  const std::int64_t period_ns = nanoseconds(period), window_ns = nanoseconds(window), lag_ns = nanoseconds(lag);
  std::vector<double> shown;
  shown.reserve(polls_ns.size());
  for (const std::int64_t poll : polls_ns) {
    std::int64_t step = (poll - phase_ns) / period_ns;
    if (step * period_ns > poll - phase_ns) --step;
    const std::int64_t taken = phase_ns + step * period_ns - lag_ns;
    shown.push_back(gain * truth.mean(taken - window_ns, taken) + offset);
  }
  return shown;
}

double corrected_joules(const SensorModel& sensor, const StepSignal& shown, std::int64_t from_ns, std::int64_t to_ns) {
  const std::int64_t later = nanoseconds(sensor.centre());
  const double joules = shown.joules(from_ns + later, to_ns + later);
  return (joules - sensor.offset * static_cast<double>(to_ns - from_ns) * 1e-9) / sensor.gain;
}

std::optional<std::string> locked_period(const SensorModel& sensor, double load_period) {
  constexpr double kNear = 0.05;
  if (load_period <= 0 || sensor.window >= sensor.period) return std::nullopt;
  const double larger = std::max(load_period, sensor.period), smaller = std::min(load_period, sensor.period);
  const double times = std::round(larger / smaller);
  if (std::abs(larger - times * smaller) > kNear * smaller) return std::nullopt;
  const std::string seen = sensor.window > 0 ? fmt::format("takes {:.3g} s of every {:.4g} s", sensor.window, sensor.period)
                                             : fmt::format("may take a moment of every {:.4g} s", sensor.period);
  return fmt::format(
      "the load repeats every {:.4g} s and the sensor {}: it keeps seeing the same parts of the load. Measure again with a period that is no "
      "multiple "
      "of the sensor's, or add up many starts at random moments",
      load_period, seen);
}

}  // namespace joulecast::calibration
