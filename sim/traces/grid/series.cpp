#include "traces/grid/series.hpp"

#include <algorithm>

namespace joulecast::traces {

double Series::at(std::int64_t ns) const {
  const auto next = std::upper_bound(start_ns.begin(), start_ns.end(), ns);
  return value[static_cast<std::size_t>(std::max<std::ptrdiff_t>(next - start_ns.begin() - 1, 0))];
}

}  // namespace joulecast::traces
