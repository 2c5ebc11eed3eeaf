#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "traces/excerpt.hpp"
#include "traces/power/bad_lines.hpp"
#include "traces/power/log_readers.hpp"
#include "traces/power/measured_cell.hpp"
#include "traces/power/plain_columns.hpp"
#include "traces/power/smi_columns.hpp"

namespace joulecast::traces {
namespace {

constexpr std::size_t kLooked = 40;

std::string lowered(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return out;
}

bool has(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

/// Files that people take for power logs, by a piece of their first lines, and what they are.
struct Lookalike {
  std::string_view piece, what, remedy;
};
constexpr Lookalike kLookalikes[] = {
    {"dcgm field, prometheus metric type", "this is dcgm-exporter's list of counters (a configuration), not its data",
     "take what the exporter serves: curl -s localhost:9400/metrics"},
    {"amd uprof", "this is a log of AMD uProf, which is not supported", "logs of NVIDIA GPUs are read; of others, a plain CSV of time and watts"},
    {"amduprof", "this is a log of AMD uProf, which is not supported", "logs of NVIDIA GPUs are read; of others, a plain CSV of time and watts"},
    {"socket_power", "this is a log of amd-smi, which is not supported",
     "map its columns as a plain CSV: --map time=timestamp:s --map power=COLUMN:W"},
    {"average_graphics_package_power", "this is a log of rocm-smi, which is not supported", "map its columns as a plain CSV: --map power=COLUMN:W"},
    {"contexttokens", "this is a request trace, not a power log", "name it in a scenario: requests = { file = \"...\", format = \"azure\" }"},
    {"request tokens", "this is a request trace, not a power log", "name it in a scenario: requests = { file = \"...\", format = \"burstgpt\" }"},
    {"num_prefill_tokens", "this is a request trace, not a power log", "name it in a scenario: requests = { file = \"...\", format = \"vidur\" }"},
    {"hash_ids", "this is a request trace, not a power log", "name it in a scenario: requests = { file = \"...\", format = \"mooncake\" }"},
    {"stage,instruction,frequency", "this is a stage profile, not a power log", "`joulecast calibrate stages FILE` reads it"},
    {"carbon intensity", "this is a series of carbon intensities, not a power log",
     "name it in a scenario: carbon = { file = \"...\", format = \"...\" }"},
    {"carbonintensity", "this is a series of carbon intensities, not a power log",
     "name it in a scenario: carbon = { file = \"...\", format = \"...\" }"},
    {"gco2", "this is a table of carbon intensities, not a power log", "name a series in a scenario: carbon = { file = \"...\", format = \"...\" }"},
    {"openei.org", "this is an electricity tariff of OpenEI, not a power log", "tariffs are not read; write prices in a scenario's [site] table"},
    {"utility company lookup", "this is OpenEI's answer that it has no tariff, not a power log", "tariffs are not read; write prices in a scenario"},
    {"num_requests_running", "this is a load log (what a server had to do), not a power log", "give it beside the power log: --load FILE"},
    {"eur/mwh", "this is a series of prices, not a power log", "name it in a scenario: price = { file = \"...\", format = \"...\" }"},
};

std::vector<std::string> first_lines(const SeriesText& text) {
  std::vector<std::string> found;
  TextLines lines = text.lines();
  while (found.size() < kLooked && lines.next()) {
    if (!trimmed_cell(lines.line()).empty()) found.emplace_back(lines.line().substr(0, 4096));
  }
  return found;
}

bool is_exposition(const std::string& line) {
  if (line.starts_with("# TYPE ") || line.starts_with("# HELP ")) return true;
  const std::size_t open = line.find('{');
  if (open == std::string::npos || open == 0) return false;
  const bool name = std::all_of(line.begin(), line.begin() + static_cast<std::ptrdiff_t>(open), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == ':';
  });
  return name && has(line, "} ");
}

/// The names of a header line, lower case and without units.
std::vector<std::string> names_of(const std::string& line) {
  std::vector<std::string> cells, names;
  split_cells(line, line.find(';') != std::string::npos && line.find(',') == std::string::npos ? ';' : ',', cells);
  for (const std::string& cell : cells) names.push_back(read_header_cell(cell).name);
  return names;
}

bool holds(const std::vector<std::string>& names, std::string_view name) { return std::find(names.begin(), names.end(), name) != names.end(); }

std::string by_header(const std::string& line) {
  const std::vector<std::string> names = names_of(line);
  if (holds(names, "time_unix_s") && holds(names, "power_instant_w")) return "record";
  if (holds(names, "window_name") && holds(names, "elapsed_time")) return "zeus-windows";
  if (names == std::vector<std::string>{"time", "power"} ||
      (names.size() > 1 && names[0] == "time" && names[1].starts_with("power") && names[1].size() < 8)) {
    const bool numbered = names.size() > 1 && names[1].size() > 5 && names[1][5] >= '0' && names[1][5] <= '9';
    if (names.size() == 2 || numbered) return "zeus-monitor";
  }
  if (holds(names, "emissions") && holds(names, "energy_consumed")) return "codecarbon";
  return "";
}

bool smi_line(const std::string& line) {
  std::vector<std::string> cells;
  for (const char delimiter : {',', ';'}) {
    split_cells(line, delimiter, cells);
    if (read_smi_header(cells) || is_smi_time(cells.front())) return true;
  }
  return false;
}

/// A plain CSV whose header carries units: a time in seconds and watts or joules.
bool plain_header(const std::string& line) {
  std::vector<std::string> cells;
  split_cells(line, ',', cells);
  bool time = false, power = false;
  for (const std::string& cell : cells) {
    const PlainColumn column = read_plain_header(cell);
    time = time || column.quantity == "time";
    power = power || column.quantity == "power" || column.quantity == "energy" || column.quantity == "meter" || column.quantity == "average" ||
            column.quantity == "instant";
  }
  return time && power;
}

}  // namespace

std::string find_log_format(const SeriesText& text, const PowerLogOptions& options) {
  const std::vector<std::string> lines = first_lines(text);
  if (lines.empty())
    throw UserError({text.name(), 0, 0}, "the file is empty", "was the logger stopped before it wrote its first block? take the log again");
  std::string all;
  for (const std::string& line : lines) all += lowered(line) + "\n";
  for (const Lookalike& each : kLookalikes) {
    if (has(all, each.piece)) throw UserError({text.name(), 1, 1}, std::string(each.what), std::string(each.remedy));
  }
  const std::string first(trimmed_cell(lines.front()));
  if (first.starts_with('{') && has(all, "\"resulttype\"")) return "dcgm-range";
  if (first.starts_with('#') && has(all, "gpu") && has(all, "pwr")) return "dmon";
  if (first.starts_with("# format: joulecast-record")) return "record";
  if (!options.columns.empty()) return "nvidia-smi";
  for (const std::string& line : lines) {
    if (is_exposition(line)) return "dcgm";
  }
  for (const std::string& line : lines) {
    if (line.starts_with('#')) continue;
    const std::string header = by_header(line);
    if (!header.empty()) return header;
    if (smi_line(line)) return "nvidia-smi";
    if (plain_header(line)) return "csv";
  }
  throw UserError(
      {text.name(), 1, 1}, fmt::format("no power log that is known here; it begins \"{}\"", excerpt(first, 100)),
      fmt::format("known: {}; map a plain CSV's columns with --map time=COLUMN:s --map power=COLUMN:W", fmt::join(power_log_formats(), ", ")));
}

}  // namespace joulecast::traces
