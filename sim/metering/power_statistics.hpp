#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace joulecast::metering {

/// Watts outside the warm-up. `mean` and `p50` are over bins; the rest are over means of windows that slide by a bin: the 99th percentile of
/// 60 s and the largest of 1, 60 and 900 s. A percentile is linear between order statistics. NaN where the series is shorter than the
/// window, or the bin is wider than the window or does not divide it.
struct PowerStatistics {
  double mean, p50, p99_60s, peak_1s, peak_60s, peak_900s;
};

/// Means of every window of `window_s` seconds that slides by a bin; none where the series is shorter, or the bin is wider than the window or does
/// not divide it.
std::vector<double> window_means(std::span<const double> watts, double bin_s, double window_s);

/// Statistics of a series of equal bins of `bin_s` seconds from bin `first` on.
PowerStatistics power_statistics(const std::vector<float>& watts, double bin_s, std::size_t first);

}  // namespace joulecast::metering
