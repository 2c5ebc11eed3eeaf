#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "traces/grid/assemble.hpp"
#include "traces/grid/options.hpp"
#include "traces/grid/zone.hpp"

namespace joulecast::traces {

/// Writes moments as the file's clock shows them.
class SeriesClock {
 public:
  explicit SeriesClock(const std::optional<Zone>& zone) : zone_(zone) {}
  /// "2025-03-30 03:00:00 Europe/Berlin".
  std::string text(std::int64_t utc_ns) const;

 private:
  const std::optional<Zone>& zone_;
};

/// Makes rows in order that have intervals follow one another without a gap and with a value each (see `assemble`); at least one value remains.
void fill_gaps(RawSeries& raw, Gaps gaps, const SeriesClock& clock, const std::string& file);

}  // namespace joulecast::traces
