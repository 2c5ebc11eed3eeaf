#include "metering/feed.hpp"

#include <algorithm>
#include <limits>
#include <span>

#include "metering/power_statistics.hpp"

namespace joulecast::metering {

FeedLoad feed_load(const BinnedPower& it, std::size_t first, Span window, Watts usable) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  FeedLoad load{none, none, none, none, none};
  const Time from{static_cast<std::int64_t>(first) * it.bin.ns};
  if (from >= it.end) return load;
  load.mean = it.mean(from, it.end);
  const auto whole = static_cast<std::size_t>(it.end.ns / it.bin.ns);
  const std::span<const double> bins = std::span(it.watts).first(std::max(whole, first)).subspan(first);
  const auto largest = [](const std::vector<double>& means) { return means.empty() ? none : *std::max_element(means.begin(), means.end()); };
  load.peak_900s = largest(window_means(bins, it.bin.seconds(), 900));
  const std::vector<double> means = window_means(bins, it.bin.seconds(), window.seconds());
  if (means.empty()) return load;
  load.peak_window = largest(means);
  const auto over = std::count_if(means.begin(), means.end(), [&](double watts) { return watts > usable.si(); });
  load.over_usable_s = static_cast<double>(over) * it.bin.seconds();
  load.excess_joules = 0;
  const std::size_t width = bins.size() - means.size() + 1;
  for (std::size_t i = 0; i < means.size(); i += width) load.excess_joules += std::max(0.0, means[i] - usable.si()) * window.seconds();
  return load;
}

}  // namespace joulecast::metering
