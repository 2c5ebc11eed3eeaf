#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/time.hpp"
#include "metering/rate_step.hpp"

namespace joulecast::metering {

/// Power over [0, end) as mean watts of bins, all `bin` wide but the last, which ends at `end`. A bin's energy is exact; inside it power is taken as
/// constant, so what straddles the border of a price or a window is split in proportion to time.
struct BinnedPower {
  std::vector<double> watts;
  Span bin{1};
  Time end;

  /// Joules of [from, to), cut to [0, end). O(bins of that time).
  double joules(Time from, Time to) const;
  /// Watts of [from, to), which has a length and lies inside [0, end).
  double mean(Time from, Time to) const { return joules(from, to) / (to - from).seconds(); }
};

/// The sum over `steps` of rate x joules: money of money per joule, grams of grams per joule. The first step begins at 0, the last goes on until the
/// end.
double integral(const BinnedPower& power, std::span<const RateStep> steps);

}  // namespace joulecast::metering
