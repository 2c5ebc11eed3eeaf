#include <fmt/format.h>

#include "traces/grid/formats.hpp"
#include "traces/grid/local_clock.hpp"

namespace joulecast::traces {
namespace {

constexpr const char* kUnit = "USD/MWh";

std::int64_t moment_of(Delimited& rows, std::size_t column, DateOrder order, LocalClock& clock, const char* example) {
  const auto time = read_civil(rows.cell(column), order);
  if (!time) rows.refuse(column, fmt::format("a date and time such as {}", example), "write the time in that form", false);
  return clock.moment(*time, LocalClock::Pass::by_order, rows.place(column));
}

}  // namespace

RawSeries read_caiso(const SeriesText& text, const SeriesOptions& options) {
  enum : std::size_t { kStart, kEnd, kPrice, kType, kNode };
  Delimited rows(text.lines(), {{{"INTERVALSTARTTIME_GMT"}, true},
                                {{"INTERVALENDTIME_GMT"}, true},
                                {{"MW", "VALUE", "PRC"}, true},
                                {{"LMP_TYPE"}, false},
                                {{"NODE", "NODE_ID"}, false}});
  RawSeries raw{{}, kUnit, Zone::find("UTC", options.place), false, {}};
  LocalClock clock(raw.zone);
  Locations nodes(options.location, "node");
  std::size_t parts = 0;
  while (rows.next()) {
    if (rows.has(kNode) && !nodes.keeps(rows.cell(kNode))) continue;
    if (rows.has(kType) && rows.cell(kType) != "LMP") {
      ++parts;
      continue;
    }
    SeriesRow row;
    row.at_ns = moment_of(rows, kStart, DateOrder::ymd, clock, "2022-02-01T15:00:00-00:00");
    row.end_ns = moment_of(rows, kEnd, DateOrder::ymd, clock, "2022-02-01T16:00:00-00:00");
    row.line = rows.line_place().line;
    if (*row.end_ns <= row.at_ns) rows.refuse(kEnd, "a time behind the start", "correct the row", false);
    if (!read_value(rows, kPrice, row.value)) break;
    raw.rows.push_back(row);
  }
  check_torn(rows, options.torn_last_row, raw.notes);
  nodes.check(text.name(), options.place);
  if (parts > 0) raw.notes.push_back(fmt::format("{} rows of parts of the price (energy, congestion, loss) left out", parts));
  return raw;
}

RawSeries read_pjm(const SeriesText& text, const SeriesOptions& options) {
  enum : std::size_t { kStart, kPrice, kNode };
  Delimited rows(text.lines(), {{{"datetime_beginning_utc"}, true}, {{"total_lmp_da", "total_lmp_rt"}, true}, {{"pnode_name", "pnode_id"}, false}});
  RawSeries raw{{}, kUnit, Zone::find("UTC", options.place), false, {}};
  LocalClock clock(raw.zone);
  Locations nodes(options.location, "node");
  while (rows.next()) {
    if (rows.has(kNode) && !nodes.keeps(rows.cell(kNode))) continue;
    SeriesRow row;
    row.at_ns = moment_of(rows, kStart, DateOrder::mdy, clock, "1/1/2021 4:55:00 AM");
    row.line = rows.line_place().line;
    if (!read_value(rows, kPrice, row.value)) break;
    raw.rows.push_back(row);
  }
  check_torn(rows, options.torn_last_row, raw.notes);
  nodes.check(text.name(), options.place);
  return raw;
}

}  // namespace joulecast::traces
