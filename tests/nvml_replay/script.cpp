#include "script.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <sstream>

namespace joulecast::nvml_replay {
namespace {

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells(1);
  for (const char c : line) {
    if (c == ',')
      cells.emplace_back();
    else
      cells.back() += c;
  }
  return cells;
}

std::optional<double> scaled(const std::string& cell, double factor) {
  if (cell.empty()) return std::nullopt;
  return std::stod(cell) * factor;
}

std::map<int, std::vector<Shown>> read_recording(const std::string& path) {
  std::map<int, std::vector<Shown>> recorded;
  std::ifstream file(path);
  std::string line;
  while (std::getline(file, line)) {
    if (line.starts_with("#") || line.starts_with("time_unix_s")) continue;
    const auto cells = cells_of(line);
    if (cells.size() != 14) continue;
    Shown shown;
    shown.at_s = std::stod(cells[0]);
    shown.average_mw = scaled(cells[3], 1e3);
    shown.instant_mw = scaled(cells[4], 1e3);
    shown.energy_mj = scaled(cells[5], 1e3);
    shown.sm_mhz = scaled(cells[6], 1e-6);
    shown.memory_mhz = scaled(cells[7], 1e-6);
    shown.utilization_percent = scaled(cells[8], 100);
    shown.temperature_c = scaled(cells[9], 1);
    shown.limit_mw = scaled(cells[10], 1e3);
    if (!cells[11].empty()) shown.reasons = std::stoull(cells[11], nullptr, 16);
    shown.memory_bytes = scaled(cells[12], 1);
    recorded[std::stoi(cells[1])].push_back(shown);
  }
  for (auto& [gpu, rows] : recorded) {
    const double first = rows.front().at_s;
    for (Shown& row : rows) row.at_s -= first;
  }
  return recorded;
}

}  // namespace

Shown Script::shown(int gpu, double at_s) const {
  if (const auto found = recorded.find(gpu); found != recorded.end()) {
    const auto& rows = found->second;
    const double span = std::max(rows.back().at_s, 1e-3);
    const double within = std::fmod(at_s, span);
    const auto after = std::upper_bound(rows.begin(), rows.end(), within, [](double at, const Shown& row) { return at < row.at_s; });
    return after == rows.begin() ? rows.front() : *std::prev(after);
  }
  const double phase = std::fmod(at_s, period_s), half = period_s / 2;
  const bool high = phase < half;
  // The joules of whole periods, then those of the one that is under way; a GPU draws 10 W more than the one before it.
  const double joules = std::floor(at_s / period_s) * half * (low_w + high_w) + std::min(phase, half) * high_w + std::max(0.0, phase - half) * low_w;
  Shown shown;
  shown.at_s = at_s;
  shown.instant_mw = ((high ? high_w : low_w) + 10.0 * gpu) * 1e3;
  shown.average_mw = ((low_w + high_w) / 2 + 10.0 * gpu) * 1e3;
  shown.energy_mj = (joules + 10.0 * gpu * at_s + 1000) * 1e3;
  shown.sm_mhz = high ? 1980 : 345;
  shown.memory_mhz = 2619;
  shown.utilization_percent = high ? 100 : 0;
  shown.temperature_c = 40 + gpu;
  shown.limit_mw = 700e3;
  shown.memory_bytes = 70e9;
  shown.reasons = high ? 0 : 1;
  return shown;
}

int Script::code(const std::string& function, int gpu, double at_s) const {
  for (const Fault& fault : faults) {
    if (fault.function == function && (fault.gpu < 0 || fault.gpu == gpu) && at_s >= fault.from_s && at_s < fault.until_s) return fault.code;
  }
  return 0;
}

Script read_script() {
  Script script;
  const char* path = std::getenv("JOULECAST_NVML_REPLAY");
  if (path == nullptr) return script;
  std::ifstream file(path);
  std::string line;
  while (std::getline(file, line)) {
    std::istringstream words(line);
    std::string key, rest;
    words >> key;
    if (key == "driver") words >> script.driver;
    if (key == "architecture") words >> script.architecture;
    if (key == "gpus") words >> script.gpus;
    if (key == "square") words >> script.low_w >> script.high_w >> script.period_s;
    if (key == "name") std::getline(words >> std::ws, script.name);
    if (key == "recording" && std::getline(words >> std::ws, rest)) script.recorded = read_recording(rest);
    if (key == "fault") {
      Fault fault;
      std::string gpu;
      words >> fault.function >> gpu >> fault.code;
      if (gpu != "*") fault.gpu = std::stoi(gpu);
      if (double from = 0; words >> from) fault.from_s = from;
      if (double until = 0; words >> until) fault.until_s = until;
      script.faults.push_back(fault);
    }
  }
  return script;
}

}  // namespace joulecast::nvml_replay
