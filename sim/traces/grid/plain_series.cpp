#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "traces/excerpt.hpp"
#include "traces/grid/formats.hpp"
#include "traces/grid/local_clock.hpp"

namespace joulecast::traces {
namespace {

/// A CSV of one column of times and one of values.
RawSeries read_two_columns(const SeriesText& text, const SeriesOptions& options, Column time_column, Column value_column, std::string unit) {
  constexpr std::size_t time = 0, value = 1;
  const DateOrder order = options.date_order.value_or(DateOrder::ymd);
  constexpr const char* examples[] = {"2025-03-30 02:15:00", "30/03/2025 02:15", "03/30/2025 02:15"};
  Delimited rows(text.lines(), {std::move(time_column), std::move(value_column)});
  RawSeries raw;
  raw.unit = std::move(unit);
  raw.ends = options.interval == "end";
  if (!options.timezone.empty()) raw.zone = Zone::find(options.timezone, options.place);
  LocalClock clock(raw.zone);
  while (rows.next()) {
    const auto when = read_civil(rows.cell(time), order);
    if (!when) {
      rows.refuse(time, fmt::format("a date and time such as {}", examples[static_cast<std::size_t>(order)]),
                  "write the time in that form, or state date_order", false);
    }
    SeriesRow row{clock.moment(*when, LocalClock::Pass::by_order, rows.place(time)), std::nullopt, std::nullopt, rows.line_place().line};
    if (!read_value(rows, value, row.value)) break;
    raw.rows.push_back(row);
  }
  check_torn(rows, options.torn_last_row, raw.notes);
  return raw;
}

}  // namespace

RawSeries read_plain_series(const SeriesText& text, const SeriesOptions& options) {
  return read_two_columns(text, options, {{options.time_column}, true}, {{options.value_column}, true}, options.unit);
}

RawSeries read_watttime(const SeriesText& text, const SeriesOptions& options) {
  std::string value = options.value_column;
  const std::vector<std::string> header = text.header();
  if (value.empty() && header.size() == 2) value = header[1];
  if (value.empty() && !header.empty()) {
    throw UserError(options.place,
                    fmt::format("{} has the columns {}: which holds the values is not stated", text.name(),
                                excerpt(fmt::format("{}", fmt::join(header, ", ")), 200)),
                    "add value = \"header of the column\"");
  }
  return read_two_columns(text, options, {{"oootime", "time", "timestamp", "point_time", "datetime"}, true}, {{value}, true}, options.unit);
}

RawSeries read_eia(const SeriesText& text, const SeriesOptions& options) {
  return read_two_columns(text, options, {{"timestamp"}, true}, {{"avg_CI"}, true}, "g/kWh");
}

}  // namespace joulecast::traces
