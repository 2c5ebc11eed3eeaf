#pragma once

#include <array>
#include <cstdint>

#include "base/fixed.hpp"

namespace joulecast::traces {

/// How the rate of arrivals goes over the hours of the local day: factors of the mean rate, constant over an hour.
struct DailyShape {
  std::array<double, 24> factors{};        ///< not negative, not all 0; only their ratios count
  std::int64_t start_local_ns_of_day = 0;  ///< where in the local day the run begins

  /// The largest factor over their mean.
  double peak() const;
};

/// Turns even time into time of day, so that events with a constant rate in the one have, in the other, a rate that follows the shape: the time
/// change of an inhomogeneous process, t = L^-1(s) with L(t) the integral of the factors (Cox and Lewis, The Statistical Analysis of Series of
/// Events, 1966, section 2.5). Factors are divided by their mean and rounded to 2^-32; from then on all is exact: no error grows. A day has 24
/// hours: a change to or from summer time in the run shifts the hours after it by one.
class DailyClock {
 public:
  explicit DailyClock(const DailyShape& shape);

  /// The time of the run at which `even` more of even time has passed, rounded down to 2^-24 ns; at least `most` where it lies beyond it.
  FixedTime advance(FixedTime even, FixedTime most);

 private:
  std::array<std::int64_t, 24> factors_{};  ///< in 2^-32
  std::size_t hour_ = 0;                    ///< of the day
  FixedTime hour_start_;                    ///< in the run; before 0 where the run begins inside the hour
  int128 done_ = 0;                         ///< even time since the hour began, in 2^-56 ns
};

}  // namespace joulecast::traces
