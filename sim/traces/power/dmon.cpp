#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "traces/excerpt.hpp"
#include "traces/power/bad_lines.hpp"
#include "traces/power/log_builder.hpp"
#include "traces/power/log_readers.hpp"
#include "traces/power/stamp_clock.hpp"

namespace joulecast::traces {
namespace {

struct Known {
  std::string_view name;
  LogQuantity quantity;
};
constexpr Known kKnown[] = {{"pwr", LogQuantity::draw},          {"gtemp", LogQuantity::temperature},
                            {"sm", LogQuantity::utilization},    {"mem", LogQuantity::memory_utilization},
                            {"mclk", LogQuantity::memory_clock}, {"pclk", LogQuantity::sm_clock},
                            {"fb", LogQuantity::memory_used}};

std::vector<std::string> words_of(std::string_view line) {
  std::vector<std::string> words;
  std::string word;
  for (const char c : std::string(line) + " ") {
    if (c != ' ' && c != '\t' && c != ',') {
      word += c;
    } else if (!word.empty()) {
      words.push_back(std::move(word));
      word.clear();
    }
  }
  return words;
}

std::string lowered(std::string text) {
  for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return text;
}

/// "20260301" or "2026/03/01" and "09:00:00", or the time of day alone (`day` empty: the first of 1970).
std::optional<CivilTime> dmon_time(const std::string& day, const std::string& time) {
  std::string date = day.empty() ? "1970-01-01" : day;
  if (date.size() == 8 && date.find_first_not_of("0123456789") == std::string::npos) date.insert(6, "-").insert(4, "-");
  return read_civil(date + " " + time, DateOrder::ymd);
}

}  // namespace

PowerLog read_dmon(const SeriesText& text, const PowerLogOptions& options) {
  PowerLog log;
  log.source.file = text.name();
  log.source.timezone = options.timezone;
  BadLines bad(text.name(), options.skip_bad);
  StampClock clock(options.timezone, options.place);
  LogBuilder builder;
  TextLines lines = text.lines();
  std::vector<std::string> names;
  std::map<std::string, std::int64_t> polls;
  std::int64_t day_ns = 0, last = 0;
  bool dated = false, timed = false;
  while (lines.next()) {
    const std::string_view line = trimmed_cell(lines.line());
    if (line.empty()) continue;
    if (line.starts_with('#')) {
      std::vector<std::string> found = words_of(line.substr(1));
      for (std::string& word : found) word = lowered(word);
      if (std::find(found.begin(), found.end(), "gpu") == found.end()) continue;  // the line of units
      if (std::find(found.begin(), found.end(), "pwr") == found.end()) {
        throw UserError({lines.name(), lines.number(), 1}, "no column pwr: dmon was asked for other columns", "take it with nvidia-smi dmon -s puc");
      }
      names = std::move(found);
      continue;
    }
    const std::vector<std::string> cells = words_of(line);
    if (names.empty() || cells.size() != names.size()) {
      if (!lines.terminated()) {
        ++log.source.dropped["torn last row"];
      } else {
        bad.add(lines.number(), line,
                names.empty() ? "a row before the line that names the columns" : fmt::format("{} cells, expected {}", cells.size(), names.size()));
      }
      continue;
    }
    std::string index, day, time, fault;
    LogSample sample;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (names[i] == "gpu") index = cells[i];
      if (names[i] == "date") day = cells[i];
      if (names[i] == "time") time = cells[i];
      const auto known = std::find_if(std::begin(kKnown), std::end(kKnown), [&](const Known& each) { return each.name == names[i]; });
      if (known == std::end(kKnown)) continue;
      builder.column(known->quantity, names[i]);
      const MeasuredCell read = read_measured(cells[i], dimension(known->quantity), "", usual_unit(known->quantity));
      if (read.kind == MeasuredCell::Kind::value) sample[known->quantity] = read.value;
      if (read.kind == MeasuredCell::Kind::wrong) fault = fmt::format("read \"{}\" as {}", excerpt(cells[i]), names[i]);
    }
    const auto civil = time.empty() ? std::nullopt : dmon_time(day, time);
    if (!time.empty() && !civil) fault = fmt::format("\"{} {}\" is no time", excerpt(day), excerpt(time));
    if (!fault.empty()) {
      bad.add(lines.number(), line, fault);
      continue;
    }
    timed = timed || !time.empty();
    dated = dated || !day.empty();
    const std::int64_t poll = polls[index]++;
    if (!day.empty()) {
      sample.time_ns = clock.moment(*civil, {lines.name(), lines.number(), 1});
    } else if (!time.empty()) {
      constexpr std::int64_t kHalfDay = 43'200'000'000'000;
      if (civil->local_ns + day_ns < last - kHalfDay) day_ns += 2 * kHalfDay;  // past midnight
      sample.time_ns = last = civil->local_ns + day_ns;
    } else {
      sample.time_ns = static_cast<std::int64_t>(static_cast<double>(poll) * (options.period > 0 ? options.period : 1.0) * 1e9);
    }
    builder.add(builder.gpu(index, "", ""), sample);
  }
  bad.settle(log);
  log.time_base = dated ? clock.base() : (timed || options.period > 0 ? TimeBase::monotonic : TimeBase::numbered);
  if (log.time_base == TimeBase::numbered) {
    log.warnings.emplace_back("the log has no times: no energy comes from it; take it with dmon -o DT, or give --period");
  }
  log.notes.emplace_back("dmon writes whole watts");
  builder.finish(log);
  return log;
}

}  // namespace joulecast::traces
