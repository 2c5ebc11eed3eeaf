#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/error.hpp"
#include "traces/excerpt.hpp"
#include "traces/load/columns.hpp"
#include "traces/load/readers.hpp"
#include "traces/power/bad_lines.hpp"
#include "traces/power/measured_cell.hpp"
#include "traces/power/stamp_clock.hpp"

namespace joulecast::traces {

LoadLog read_engine_csv(const SeriesText& text, const PowerLogOptions& options) {
  LoadLog log;
  log.source.file = text.name();
  log.source.timezone = options.timezone;
  TextLines lines = text.lines();
  BadLines bad(text.name(), options.skip_bad);
  StampClock clock(options.timezone, options.place);
  std::vector<std::string> header, cells;
  EngineBuilder engine;
  bool civil = false;
  std::int64_t last = INT64_MIN;
  while (lines.next()) {
    if (trimmed_cell(lines.line()).empty() || lines.line().starts_with('#')) continue;
    split_cells(lines.line(), ',', cells);
    if (header.empty()) {
      header = cells;
      continue;
    }
    std::string why = cells.size() == header.size() ? "" : fmt::format("{} cells, expected {} as in the header", cells.size(), header.size());
    std::int64_t ns = 0;
    if (why.empty() && !read_log_seconds(cells[0], 1, ns)) {
      const auto written = read_civil(cells[0], DateOrder::ymd);
      civil = civil || written.has_value();
      if (written) ns = clock.moment(*written, {text.name(), lines.number(), 1});
      if (!written) why = fmt::format("\"{}\" is no time in seconds since 1970, and no date and time", excerpt(cells[0]));
    }
    if (why.empty() && ns < last) why = "a time before that of the row above";
    std::vector<MeasuredCell> read(cells.size());
    for (std::size_t i = 1; i < cells.size() && why.empty(); ++i) {
      if (load_member(header[i]) == nullptr) continue;
      read[i] = read_measured(cells[i], Dimension::plain, "", "");
      if (read[i].kind == MeasuredCell::Kind::cut || read[i].kind == MeasuredCell::Kind::wrong) {
        why = fmt::format("read \"{}\" as {}", excerpt(cells[i]), excerpt(header[i]));
      }
    }
    if (!why.empty()) {
      if (!lines.terminated() && cells.size() <= header.size()) {
        ++log.source.dropped["torn last row"];
      } else {
        bad.add(lines.number(), lines.line(), why);
      }
      continue;
    }
    last = ns;
    for (std::size_t i = 1; i < cells.size(); ++i) {
      if (read[i].kind == MeasuredCell::Kind::value) engine.add(ns, load_member(header[i]), read[i].value);
    }
  }
  PowerLog notes;
  bad.settle(notes);
  log.notes = notes.notes;
  for (const auto& [reason, count] : notes.source.dropped) log.source.dropped[reason] += count;
  log.time_base = civil ? clock.base() : TimeBase::utc;
  log.engines.push_back(engine.finish("", log));
  if (log.engines[0].samples() == 0) throw UserError({text.name(), 0, 0}, "the load log has no rows", "it holds nothing behind its header");
  return log;
}

}  // namespace joulecast::traces
