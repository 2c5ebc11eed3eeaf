#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace joulecast::calibration {

/// Watts over time, each value held until the next; before the first and after the last sample the nearest value stands. Times in nanoseconds, rising.
class StepSignal {
 public:
  StepSignal() = default;
  /// As many watts as times, at least one; NaN watts are left out, so the value before stands on.
  StepSignal(std::span<const std::int64_t> time_ns, std::span<const double> watts);

  bool empty() const { return time_ns_.empty(); }
  std::int64_t begin_ns() const { return time_ns_.front(); }
  std::int64_t last_ns() const { return time_ns_.back(); }
  double at(std::int64_t ns) const;
  /// Joules of [from, to]; from <= to.
  double joules(std::int64_t from_ns, std::int64_t to_ns) const { return integral(to_ns) - integral(from_ns); }
  /// Mean watts of [from, to]; the value at `to` where they are equal.
  double mean(std::int64_t from_ns, std::int64_t to_ns) const;
  std::span<const std::int64_t> times() const { return time_ns_; }
  std::span<const double> watts() const { return watts_; }

 private:
  double integral(std::int64_t ns) const;

  std::vector<std::int64_t> time_ns_;
  std::vector<double> watts_, joules_;  ///< joules from the first sample up to each
};

/// The sum of signals, at least one, at the first one's samples.
StepSignal sum_of(std::span<const StepSignal> signals);

}  // namespace joulecast::calibration
