#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/hash.hpp"
#include "traces/load/columns.hpp"
#include "traces/load/log.hpp"
#include "traces/load/readers.hpp"
#include "traces/power/bad_lines.hpp"
#include "traces/power/measured_cell.hpp"

namespace joulecast::traces {
namespace {

constexpr int kLooked = 200;

LoadLog read(const SeriesText& text, const PowerLogOptions& options) {
  const std::string format = options.format.empty() ? find_load_format(text) : options.format;
  LoadLog (*reader)(const SeriesText&, const PowerLogOptions&) = nullptr;
  if (format == "vllm-metrics") reader = read_vllm_metrics;
  if (format == "engine-csv") reader = read_engine_csv;
  if (format == "vllm-log") reader = read_vllm_log;
  if (format == "requests-jsonl") reader = read_requests_jsonl;
  if (reader == nullptr) {
    throw UserError({text.name(), 0, 0},
                    format.empty() ? "no load log that is known here" : fmt::format("there is no format of load logs \"{}\"", format),
                    fmt::format("known: {}", fmt::join(load_log_formats(), ", ")));
  }
  LoadLog log = reader(text, options);
  log.source.format = format;
  return log;
}

bool is_engine_header(std::string_view line) {
  std::vector<std::string> cells;
  split_cells(line, ',', cells);
  const bool time = cells[0] == "timestamp" || cells[0] == "time_unix_s" || cells[0] == "time" || cells[0] == "unix_s";
  bool known = false;
  for (const std::string& cell : cells) known = known || load_member(cell) != nullptr;
  return time && known;
}

}  // namespace

const std::vector<std::string>& load_log_formats() {
  static const std::vector<std::string> all = {"vllm-metrics", "engine-csv", "vllm-log", "requests-jsonl"};
  return all;
}

std::string find_load_format(const SeriesText& text) {
  TextLines lines = text.lines();
  bool first = true, json = false;
  for (int seen = 0; seen < kLooked && lines.next(); ++seen) {
    const std::string_view line = trimmed_cell(lines.line());
    if (line.empty()) continue;
    if (first) {
      if (is_engine_header(line)) return "engine-csv";
      json = line.starts_with('{');
      if (json && line.find("\"resultType\"") == std::string_view::npos &&
          (line.find("\"end_unix_s\"") != std::string_view::npos || line.find("\"finish_time\"") != std::string_view::npos ||
           line.find("\"end_time\"") != std::string_view::npos)) {
        return "requests-jsonl";
      }
    }
    if (!line.starts_with('#')) first = false;
    if (line.starts_with("vllm:") || line.starts_with("# TYPE vllm:") || line.starts_with("# HELP vllm:")) return "vllm-metrics";
    if (json && line.find("\"vllm:") != std::string_view::npos) return "vllm-metrics";
    if (is_vllm_log_line(line)) return "vllm-log";
  }
  return "";
}

LoadLog read_load_log(const PowerLogOptions& options) {
  LoadLog log = read(SeriesText(options.file, options.place), options);
  std::error_code ignored;
  if (std::filesystem::is_regular_file(options.file, ignored)) log.source.sha256 = sha256_of_file(options.file);
  return log;
}

LoadLog read_load_log_text(std::string_view text, const PowerLogOptions& options) {
  LoadLog log = read(SeriesText(text, options.file), options);
  log.source.sha256 = sha256(text);
  return log;
}

}  // namespace joulecast::traces
