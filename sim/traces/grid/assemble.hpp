#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "traces/grid/options.hpp"
#include "traces/grid/series.hpp"
#include "traces/grid/zone.hpp"

namespace joulecast::traces {

/// One value of a file, in its unit, from `at_ns` on, or until `at_ns` where the file states ends.
struct SeriesRow {
  std::int64_t at_ns = 0;
  std::optional<std::int64_t> end_ns;  ///< where the file states both; half open
  std::optional<double> value;         ///< absent: the file has the row and no value
  int line = 0;                        ///< 0 where the file has no lines to speak of
};

/// What a reader found in a file.
struct RawSeries {
  std::vector<SeriesRow> rows;  ///< in the order of the file
  std::string unit;
  std::optional<Zone> zone;  ///< of the file's times, for messages
  bool ends = false;         ///< `at_ns` is an interval's end
  std::vector<std::string> notes;
};

/// Puts rows in order, gives each its interval and fills or refuses gaps, all intervals being [start, end). Values stay in the unit of the file.
///
/// Rows that state no interval last one `resolution`: stated, or the most common distance of neighbours if at least half of all are that one. A row
/// lasts shorter where the next begins sooner. A gap is time between rows, or rows without a value; at the ends of the file such rows shorten the
/// series. `gaps` says what becomes of them: "error" names the first and the longest; "hold" lets the value before go on; "interpolate" goes from the
/// value before to the one behind in steps as long as the step before. Everything that was changed is counted in the notes.
///
/// UserError: no row; two values for one moment; intervals that overlap; no resolution; a gap.
Series assemble(RawSeries raw, const SeriesOptions& options, const std::string& file);

}  // namespace joulecast::traces
