#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <vector>

#include "base/error.hpp"
#include "traces/chassis/readers.hpp"
#include "traces/excerpt.hpp"
#include "traces/power/bad_lines.hpp"
#include "traces/power/measured_cell.hpp"
#include "traces/power/number_cells.hpp"
#include "traces/power/stamp_clock.hpp"

namespace joulecast::traces {
namespace {

/// The value behind a key in a line of `key,value` pairs; nothing where the key is absent.
std::optional<std::string> behind(const std::vector<std::string>& cells, std::string_view key) {
  for (std::size_t i = 0; i + 1 < cells.size(); i += 2) {
    if (cells[i] == key) return cells[i + 1];
  }
  return std::nullopt;
}

/// The one order in which all dates of the log exist; nothing where both would do or neither.
std::optional<DateOrder> only_order(const SeriesText& text) {
  TextLines lines = text.lines();
  std::vector<std::string> cells;
  bool day_first = true, month_first = true;
  while (lines.next()) {
    split_cells(lines.line(), ',', cells);
    const auto time = behind(cells, "Time");
    if (!time) continue;
    const bool dmy = read_civil(*time, DateOrder::dmy).has_value(), mdy = read_civil(*time, DateOrder::mdy).has_value();
    if (!dmy && !mdy) continue;
    day_first = day_first && dmy;
    month_first = month_first && mdy;
  }
  if (day_first == month_first) return std::nullopt;
  return day_first ? DateOrder::dmy : DateOrder::mdy;
}

}  // namespace

ChassisLog read_ptd(const SeriesText& text, const PowerLogOptions& options) {
  ChassisLog log;
  log.source.file = text.name();
  log.source.timezone = options.timezone;
  std::optional<DateOrder> order = options.date_order;
  if (!order) order = only_order(text);
  if (!order) {
    throw UserError({text.name(), 1, 1}, "the log's dates may be day-month or month-day, and nothing in it tells which",
                    "say it: --date-order dmy, or --date-order mdy");
  }
  BadLines bad(text.name(), options.skip_bad);
  StampClock clock(options.timezone, options.place);
  ChassisBuilder builder;
  TextLines lines = text.lines();
  std::vector<std::string> cells;
  ChassisSeries& series = builder.series("");
  while (lines.next()) {
    if (trimmed_cell(lines.line()).empty()) continue;
    split_cells(lines.line(), ',', cells);
    const auto time = behind(cells, "Time"), watts = behind(cells, "Watts");
    const auto civil = time ? read_civil(*time, *order) : std::nullopt;
    const auto value = watts ? read_double(*watts) : std::nullopt;
    if (!civil || !value) {
      if (!lines.terminated()) {
        ++log.source.dropped["torn last row"];
      } else {
        bad.add(lines.number(), lines.line(), !civil ? "no Time that reads" : "no Watts that read");
      }
      continue;
    }
    const std::int64_t ns = clock.moment(*civil, {text.name(), lines.number(), 1});
    if (!builder.add("", ns, *value >= 0 ? *value : std::nan(""))) continue;
    const auto keep = [&](std::string_view key, std::vector<double>& to) {
      const auto cell = behind(cells, key);
      to.push_back(cell ? read_double(*cell).value_or(std::nan("")) : std::nan(""));
    };
    keep("Volts", series.volts);
    keep("Amps", series.amperes);
    keep("PF", series.power_factor);
    const std::string mark = behind(cells, "Mark").value_or("");
    if (log.marks.empty() ? !mark.empty() : log.marks.back().name != mark) log.marks.push_back({ns, mark});
  }
  PowerLog settled;
  bad.settle(settled);
  log.notes = settled.notes;
  for (const auto& [reason, count] : settled.source.dropped) log.source.dropped[reason] += count;
  log.time_base = clock.base();
  builder.finish(log);
  return log;
}

}  // namespace joulecast::traces
