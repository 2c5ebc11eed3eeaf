#include "traces/grid/open.hpp"

#include <fmt/format.h>

#include <utility>

#include "base/error.hpp"
#include "traces/grid/formats.hpp"
#include "traces/grid/units.hpp"

namespace joulecast::traces {
namespace {

void check_carbon(const RawSeries& raw, const std::string& file) {
  for (const SeriesRow& row : raw.rows) {
    if (!row.value || *row.value >= 0) continue;
    throw UserError({file, row.line, row.line > 0 ? 1 : 0}, fmt::format("a carbon intensity of {} {}", *row.value, raw.unit),
                    "a carbon intensity is not negative; is this a file of prices?");
  }
}

Series read(const SeriesText& text, const SeriesOptions& options, SeriesKind kind) {
  const SeriesFormat* format = find_format(options.format);
  JOULECAST_CHECK(format != nullptr, "a checked series has a known format, not " + options.format);
  RawSeries raw = format->read(text, options);
  const RateUnit unit = rate_unit(raw.unit, options.place);
  if (unit.is_price() != (kind == SeriesKind::price)) {
    throw UserError(options.place,
                    fmt::format("{} is a series of {} ({}), not of {}", text.name(), unit.is_price() ? "prices" : "carbon intensities", raw.unit,
                                kind == SeriesKind::price ? "prices" : "carbon intensities"),
                    fmt::format("write it as {}", unit.is_price() ? "price" : "carbon"));
  }
  if (kind == SeriesKind::carbon) check_carbon(raw, text.name());
  Series series = assemble(std::move(raw), options, text.name());
  for (double& value : series.value) value *= unit.si;
  series.currency = unit.currency;
  return series;
}

}  // namespace

Series read_series(const SeriesOptions& options, SeriesKind kind) { return read(SeriesText(series_path(options), options.place), options, kind); }

Series read_series_text(std::string_view text, const SeriesOptions& options, SeriesKind kind) {
  return read(SeriesText(text, options.file), options, kind);
}

}  // namespace joulecast::traces
