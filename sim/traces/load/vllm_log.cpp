#include <fmt/format.h>

#include <map>
#include <optional>
#include <string>

#include "base/error.hpp"
#include "traces/excerpt.hpp"
#include "traces/load/columns.hpp"
#include "traces/load/readers.hpp"
#include "traces/power/measured_cell.hpp"
#include "traces/power/number_cells.hpp"
#include "traces/power/stamp_clock.hpp"

namespace joulecast::traces {
namespace {

/// The number behind a word such as "Running: "; nothing where the line lacks it.
std::optional<double> number_behind(std::string_view line, std::string_view word) {
  const std::size_t at = line.find(word);
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view rest = line.substr(at + word.size());
  const std::size_t end = std::min(rest.find_first_not_of("0123456789.eE+-"), rest.size());
  return read_double(rest.substr(0, end));
}

bool digit_pair(std::string_view text, std::size_t at) {
  return at + 2 <= text.size() && text[at] >= '0' && text[at] <= '9' && text[at + 1] >= '0' && text[at + 1] <= '9';
}

/// "07-18 21:26:05" anywhere in the line.
std::optional<std::string> stamp_of(std::string_view line) {
  for (std::size_t i = 0; i + 14 <= line.size(); ++i) {
    const bool shape = digit_pair(line, i) && line[i + 2] == '-' && digit_pair(line, i + 3) && line[i + 5] == ' ' && digit_pair(line, i + 6) &&
                       line[i + 8] == ':' && digit_pair(line, i + 9) && line[i + 11] == ':' && digit_pair(line, i + 12);
    if (shape) return std::string(line.substr(i, 14));
  }
  return std::nullopt;
}

struct Word {
  std::string_view text;
  LoadMember member;
  double factor;
};
constexpr Word kWords[] = {{"Running: ", &EngineLoad::running, 1},
                           {"Waiting: ", &EngineLoad::waiting, 1},
                           {"Pending: ", &EngineLoad::waiting, 1},
                           {"KV cache usage: ", &EngineLoad::kv_usage, 0.01},
                           {"Avg prompt throughput: ", &EngineLoad::prompt_rate, 1},
                           {"Avg generation throughput: ", &EngineLoad::generation_rate, 1}};

}  // namespace

bool is_vllm_log_line(std::string_view line) {
  return line.find("Avg generation throughput: ") != std::string_view::npos && line.find("Running: ") != std::string_view::npos;
}

LoadLog read_vllm_log(const SeriesText& text, const PowerLogOptions& options) {
  LoadLog log;
  log.source.file = text.name();
  log.source.timezone = options.timezone;
  if (options.year == 0) {
    throw UserError({text.name(), 0, 0}, "vLLM's log lines carry no year", "say in which year the log begins: --year 2026");
  }
  StampClock clock(options.timezone, options.place);
  std::map<std::string, EngineBuilder> engines;
  TextLines lines = text.lines();
  int year = options.year;
  std::string month;
  while (lines.next()) {
    const std::string_view line = lines.line();
    if (!is_vllm_log_line(line)) continue;
    const auto stamp = stamp_of(line);
    const Place place{text.name(), lines.number(), 1};
    if (month == "12" && stamp && stamp->starts_with("01")) ++year;
    const auto civil = stamp ? read_civil(fmt::format("{}-{}", year, *stamp), DateOrder::ymd) : std::nullopt;
    if (!civil) {
      ++log.source.dropped["no time"];
      continue;
    }
    month = stamp->substr(0, 2);
    const std::int64_t ns = clock.moment(*civil, place);
    std::string label;
    if (const auto engine = number_behind(line, "Engine ")) label = fmt::format("{:.0f}", *engine);
    for (const Word& word : kWords) {
      if (const auto value = number_behind(line, word.text)) engines[label].add(ns, word.member, *value * word.factor);
    }
  }
  if (engines.empty())
    throw UserError({text.name(), 0, 0}, "the log has no line of the engine's load with a time", "run vLLM without --disable-log-stats");
  log.time_base = clock.base();
  for (auto& [label, engine] : engines) log.engines.push_back(engine.finish(engines.size() == 1 ? "" : label, log));
  return log;
}

}  // namespace joulecast::traces
