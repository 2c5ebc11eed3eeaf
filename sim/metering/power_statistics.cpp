#include "metering/power_statistics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

namespace joulecast::metering {

namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

double percentile(std::vector<double>& values, double share) {
  const double rank = share * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::ptrdiff_t>(rank);
  const auto at = values.begin() + below;
  std::nth_element(values.begin(), at, values.end());
  if (at + 1 == values.end()) return *at;
  return *at + (rank - static_cast<double>(below)) * (*std::min_element(at + 1, values.end()) - *at);
}

/// Bins a window of `window_s`, 0 where bins do not fill it exactly.
std::size_t bins_in(double window_s, double bin_s) {
  const double ratio = window_s / bin_s;
  const double whole = std::nearbyint(ratio);
  return whole >= 1 && std::abs(ratio - whole) <= 1e-9 * ratio ? static_cast<std::size_t>(whole) : 0;
}

/// Means of every window of `width` bins; `running[i]` is the sum of the first i bins.
std::vector<double> sliding_means(std::span<const double> running, std::size_t width) {
  std::vector<double> means;
  if (width == 0 || running.size() <= width) return means;
  means.reserve(running.size() - width);
  for (std::size_t i = width; i < running.size(); ++i) means.push_back((running[i] - running[i - width]) / static_cast<double>(width));
  return means;
}

double largest(const std::vector<double>& values) { return values.empty() ? kNone : *std::max_element(values.begin(), values.end()); }

}  // namespace

std::vector<double> window_means(std::span<const double> watts, double bin_s, double window_s) {
  std::vector<double> running(watts.size() + 1, 0.0);
  for (std::size_t i = 0; i < watts.size(); ++i) running[i + 1] = running[i] + watts[i];
  return sliding_means(running, bins_in(window_s, bin_s));
}

PowerStatistics power_statistics(const std::vector<float>& watts, double bin_s, std::size_t first) {
  if (first >= watts.size()) return {kNone, kNone, kNone, kNone, kNone, kNone};
  std::vector<double> bins(watts.begin() + static_cast<std::ptrdiff_t>(first), watts.end());
  std::vector<double> running(bins.size() + 1, 0.0);
  for (std::size_t i = 0; i < bins.size(); ++i) running[i + 1] = running[i] + bins[i];
  const std::size_t second = bins_in(1, bin_s);
  auto minutes = sliding_means(running, bins_in(60, bin_s));
  PowerStatistics statistics{};
  statistics.mean = running.back() / static_cast<double>(bins.size());
  statistics.peak_1s = second == 1 ? largest(bins) : largest(sliding_means(running, second));
  statistics.peak_60s = largest(minutes);
  statistics.peak_900s = largest(sliding_means(running, bins_in(900, bin_s)));
  statistics.p99_60s = minutes.empty() ? kNone : percentile(minutes, 0.99);
  statistics.p50 = percentile(bins, 0.5);
  return statistics;
}

}  // namespace joulecast::metering
