#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/error.hpp"
#include "traces/excerpt.hpp"
#include "traces/power/bad_lines.hpp"
#include "traces/power/log_builder.hpp"
#include "traces/power/log_readers.hpp"
#include "traces/power/number_cells.hpp"
#include "traces/power/stamp_clock.hpp"

namespace joulecast::traces {
namespace {

/// Rows of a small CSV of Zeus, with what is wrong with one.
struct Rows {
  Rows(const SeriesText& text, const PowerLogOptions& options) : lines(text.lines()), bad(text.name(), options.skip_bad) {
    while (lines.next() && trimmed_cell(lines.line()).empty()) continue;
    split_cells(lines.line(), ',', header);
  }
  bool next(PowerLog& log) {
    while (lines.next()) {
      if (trimmed_cell(lines.line()).empty()) continue;
      split_cells(lines.line(), ',', cells);
      if (cells.size() == header.size()) return true;
      refuse(log, fmt::format("{} cells, expected {} as in the header", cells.size(), header.size()));
    }
    bad.settle(log);
    return false;
  }
  void refuse(PowerLog& log, const std::string& why) {
    if (!lines.terminated() && cells.size() <= header.size()) {
      ++log.source.dropped["torn last row"];
      log.notes.push_back(fmt::format("the last row breaks off (line {}) and is left out", lines.number()));
    } else {
      bad.add(lines.number(), lines.line(), why);
    }
  }

  TextLines lines;
  BadLines bad;
  std::vector<std::string> header, cells;
};

std::string gpu_of(const std::string& header, std::string_view before, std::string_view behind) {
  if (!header.starts_with(before) || !header.ends_with(behind) || header.size() <= before.size() + behind.size()) return "";
  return header.substr(before.size(), header.size() - before.size() - behind.size());
}

}  // namespace

PowerLog read_zeus_windows(const SeriesText& text, const PowerLogOptions& options) {
  PowerLog log;
  log.source.file = text.name();
  log.time_base = TimeBase::monotonic;
  Rows rows(text, options);
  std::size_t start = SIZE_MAX, window = SIZE_MAX, elapsed = SIZE_MAX;
  std::vector<std::size_t> energy;
  for (std::size_t i = 0; i < rows.header.size(); ++i) {
    if (rows.header[i] == "start_time") start = i;
    if (rows.header[i] == "window_name") window = i;
    if (rows.header[i] == "elapsed_time") elapsed = i;
    if (const std::string gpu = gpu_of(rows.header[i], "gpu", "_energy"); !gpu.empty()) {
      energy.push_back(i);
      log.window_gpus.push_back(gpu);
    }
  }
  if (start == SIZE_MAX || window == SIZE_MAX || elapsed == SIZE_MAX || energy.empty()) {
    throw UserError({text.name(), 1, 1}, "the header is not that of Zeus's windows", "expected start_time,window_name,elapsed_time,gpu0_energy,...");
  }
  while (rows.next(log)) {
    EnergyWindow each;
    std::int64_t ns = 0;
    const auto seconds = read_double(rows.cells[elapsed]);
    bool good = read_log_seconds(rows.cells[start], 1, ns) && seconds && *seconds > 0;
    for (const std::size_t column : energy) {
      const auto joules = read_double(rows.cells[column]);
      good = good && joules && *joules >= 0;
      each.joules.push_back(joules.value_or(std::nan("")));
    }
    if (!good) {
      rows.refuse(log, "a start, a length or an energy does not read");
      continue;
    }
    each.name = rows.cells[window];
    each.start_ns = ns;
    each.seconds = *seconds;
    log.windows.push_back(std::move(each));
    ++log.source.rows;
  }
  if (log.windows.empty()) throw UserError({text.name(), 0, 0}, "the log has no windows", "it holds no row behind its header");
  log.notes.emplace_back("times are monotonic: from an unknown start, so windows cannot be laid beside another log");
  for (std::size_t g = 0; g < energy.size(); ++g) {
    const bool dead = std::all_of(log.windows.begin(), log.windows.end(), [&](const EnergyWindow& each) { return each.joules[g] == 0; });
    if (!dead) continue;
    throw UserError({text.name(), 0, 0}, fmt::format("GPU {}: 0 J in every window", log.window_gpus[g]),
                    "its energy counter did not count: measure with power polling (approx_instant_energy), or leave the GPU out");
  }
  return log;
}

PowerLog read_zeus_monitor(const SeriesText& text, const PowerLogOptions& options) {
  PowerLog log;
  log.source.file = text.name();
  log.source.timezone = options.timezone;
  log.held = true;
  Rows rows(text, options);
  StampClock clock(options.timezone, options.place);
  LogBuilder builder;
  // The old monitor writes "Time,Power", a local time and milliwatts of one GPU; the later one "time,power0,power1,..", seconds since 1970 and watts.
  const bool old = rows.header.size() == 2 && rows.header[1] == "Power";
  std::vector<std::string> gpus;
  for (std::size_t i = 1; i < rows.header.size(); ++i) {
    const std::string gpu = old ? "0" : gpu_of(rows.header[i], "power", "");
    if (gpu.empty()) {
      throw UserError({text.name(), 1, 1}, fmt::format("\"{}\" is no column of Zeus's power monitor", excerpt(rows.header[i])),
                      "expected time,power0,power1,...");
    }
    gpus.push_back(gpu);
  }
  builder.column(old ? LogQuantity::draw : LogQuantity::instant, old ? "Power" : "power");
  while (rows.next(log)) {
    std::int64_t ns = 0;
    bool good = true;
    if (old) {
      const auto civil = read_civil(rows.cells[0], DateOrder::ymd);
      if (civil) ns = clock.moment(*civil, {text.name(), rows.lines.number(), 1});
      good = civil.has_value();
    } else {
      good = read_log_seconds(rows.cells[0], 1, ns);
    }
    std::vector<MeasuredCell> read;
    for (std::size_t i = 1; i < rows.cells.size(); ++i) {
      read.push_back(read_measured(rows.cells[i], Dimension::power, "", old ? "mW" : "W"));
      good = good && (read.back().kind == MeasuredCell::Kind::value || read.back().kind == MeasuredCell::Kind::missing);
    }
    if (!good) {
      rows.refuse(log, "a time or a power does not read");
      continue;
    }
    for (std::size_t g = 0; g < gpus.size(); ++g) {
      LogSample sample;
      sample.time_ns = ns;
      if (read[g].kind == MeasuredCell::Kind::value) sample[old ? LogQuantity::draw : LogQuantity::instant] = read[g].value;
      builder.add(builder.gpu(gpus[g], "", ""), sample);
    }
  }
  log.time_base = old ? clock.base() : TimeBase::utc;
  if (old) log.notes.emplace_back("power is in mW, as Zeus's old monitor writes it");
  log.notes.emplace_back("equal readings are left out by this logger: a value stands until the next row");
  builder.finish(log);
  return log;
}

}  // namespace joulecast::traces
