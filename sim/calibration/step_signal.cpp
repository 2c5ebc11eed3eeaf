#include "calibration/step_signal.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"

namespace joulecast::calibration {
namespace {

double seconds(std::int64_t ns) { return static_cast<double>(ns) * 1e-9; }

}  // namespace

StepSignal::StepSignal(std::span<const std::int64_t> time_ns, std::span<const double> watts) {
  JOULECAST_CHECK(time_ns.size() == watts.size(), "another number of watts than times");
  for (std::size_t i = 0; i < watts.size(); ++i) {
    if (std::isnan(watts[i])) continue;
    const double before = time_ns_.empty() ? 0 : joules_.back() + watts_.back() * seconds(time_ns[i] - time_ns_.back());
    JOULECAST_CHECK(time_ns_.empty() || time_ns[i] >= time_ns_.back(), "times that do not rise");
    time_ns_.push_back(time_ns[i]);
    watts_.push_back(watts[i]);
    joules_.push_back(before);
  }
  JOULECAST_CHECK(!time_ns_.empty(), "a signal without a value");
}

double StepSignal::integral(std::int64_t ns) const {
  if (ns <= time_ns_.front()) return watts_.front() * seconds(ns - time_ns_.front());
  const auto after = std::upper_bound(time_ns_.begin(), time_ns_.end(), ns);
  const auto i = static_cast<std::size_t>(after - time_ns_.begin()) - 1;
  return joules_[i] + watts_[i] * seconds(ns - time_ns_[i]);
}

double StepSignal::at(std::int64_t ns) const {
  const auto after = std::upper_bound(time_ns_.begin(), time_ns_.end(), ns);
  return after == time_ns_.begin() ? watts_.front() : watts_[static_cast<std::size_t>(after - time_ns_.begin()) - 1];
}

double StepSignal::mean(std::int64_t from_ns, std::int64_t to_ns) const {
  return to_ns <= from_ns ? at(to_ns) : joules(from_ns, to_ns) / seconds(to_ns - from_ns);
}

StepSignal sum_of(std::span<const StepSignal> signals) {
  JOULECAST_CHECK(!signals.empty(), "a sum of no signals");
  const std::span<const std::int64_t> times = signals.front().times();
  std::vector<double> watts;
  watts.reserve(times.size());
  for (const std::int64_t t : times) {
    double sum = 0;
    for (const StepSignal& signal : signals) sum += signal.at(t);
    watts.push_back(sum);
  }
  return {times, watts};
}

}  // namespace joulecast::calibration
