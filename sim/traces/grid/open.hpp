#pragma once

#include <string>
#include <string_view>

#include "traces/grid/options.hpp"
#include "traces/grid/series.hpp"

namespace joulecast::traces {

enum class SeriesKind : std::uint8_t { price, carbon };

/// Reads a series file into SI units. UserError: no such file, any fault of its rows, a gap that `gaps` does not fill, a series of the other kind, a
/// negative carbon intensity (prices may be negative).
Series read_series(const SeriesOptions& options, SeriesKind kind);
/// The same for a text in memory; `options.file` names it.
Series read_series_text(std::string_view text, const SeriesOptions& options, SeriesKind kind);

}  // namespace joulecast::traces
