#include "calibration/window_caps.hpp"

#include <charconv>
#include <map>
#include <string_view>

namespace joulecast::calibration {

std::vector<CapPoint> cap_points_of_windows(const traces::PowerLog& log) {
  constexpr std::string_view kNamed = "PowerLimitOptimizer_";
  struct Lengths {
    double seconds = 0;
    int windows = 0;
  };
  std::map<double, Lengths> by_limit;
  for (const traces::EnergyWindow& window : log.windows) {
    const std::size_t at = window.name.find(kNamed);
    if (at == std::string::npos || !(window.seconds > 0)) continue;
    double limit = 0;
    const char* end = window.name.data() + window.name.size();
    const auto read = std::from_chars(window.name.data() + at + kNamed.size(), end, limit);
    if (read.ec != std::errc{} || read.ptr != end || !(limit > 0)) continue;
    by_limit[limit].seconds += window.seconds;
    ++by_limit[limit].windows;
  }
  std::vector<CapPoint> points;
  for (const auto& [limit, lengths] : by_limit) points.push_back({Watts(limit), lengths.seconds / lengths.windows});
  return points;
}

}  // namespace joulecast::calibration
