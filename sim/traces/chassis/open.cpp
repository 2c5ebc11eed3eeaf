#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>
#include <tuple>
#include <vector>

#include "base/error.hpp"
#include "base/hash.hpp"
#include "traces/chassis/log.hpp"
#include "traces/chassis/readers.hpp"
#include "traces/power/measured_cell.hpp"

namespace joulecast::traces {
namespace {

constexpr int kLooked = 60;
/// A rack's worth of chassis; more is in another unit.
constexpr double kMostChassisWatts = 200e3;

ChassisLog read(const SeriesText& text, const PowerLogOptions& options) {
  const std::string format = options.format.empty() ? find_chassis_format(text) : options.format;
  ChassisLog (*reader)(const SeriesText&, const PowerLogOptions&) = nullptr;
  if (format == "ptd") reader = read_ptd;
  if (format == "ipmitool") reader = read_ipmitool;
  if (format == "redfish") reader = read_redfish;
  if (reader == nullptr) {
    throw UserError({text.name(), 0, 0},
                    format.empty() ? "no chassis log that is known here" : fmt::format("there is no format of chassis logs \"{}\"", format),
                    fmt::format("known: {}", fmt::join(chassis_log_formats(), ", ")));
  }
  ChassisLog log = reader(text, options);
  log.source.format = format;
  return log;
}

}  // namespace

bool ChassisBuilder::add(const std::string& label, std::int64_t time_ns, double watts) {
  ChassisSeries& series = series_[label];
  if (!series.time_ns.empty() && time_ns <= series.time_ns.back()) {
    ++repeats_;
    return false;
  }
  series.time_ns.push_back(time_ns);
  series.watts.push_back(watts);
  return true;
}

void ChassisBuilder::add_undated(const std::string& label, std::int64_t time_ns, double watts) {
  auto& [times, readings] = undated_[label];
  times.push_back(time_ns);
  readings.push_back(watts);
}

void ChassisBuilder::finish(ChassisLog& log) {
  const bool dated = std::any_of(series_.begin(), series_.end(), [](const auto& each) { return each.second.samples() > 0; });
  for (auto& [label, readings] : undated_) {
    if (dated) {
      log.source.dropped["no time"] += readings.first.size();
    } else {
      std::tie(series_[label].time_ns, series_[label].watts) = std::move(readings);
    }
  }
  if (repeats_ > 0) log.source.dropped["time not after the reading above"] += repeats_;
  bool alive = false;
  for (auto& [label, series] : series_) {
    series.label = label;
    if (series.samples() == 0) continue;
    log.source.rows += series.samples();
    for (const double watts : series.watts) {
      alive = alive || watts > 0;
      if (watts > kMostChassisWatts) {
        throw UserError({log.source.file, 0, 0}, fmt::format("{} reads {} W: looks like mW", label.empty() ? "the meter" : label, watts),
                        "state watts");
      }
    }
    log.series.push_back(std::move(series));
  }
  if (log.series.empty())
    throw UserError({log.source.file, 0, 0}, "the log has no power reading", "log the chassis's power: ipmitool dcmi power reading");
  if (!alive) throw UserError({log.source.file, 0, 0}, "every reading is 0 W: the meter is not connected", "check it and measure again");
}

std::vector<const ChassisSeries*> counted_series(const ChassisLog& log) {
  const auto mean = [](const ChassisSeries& series) {
    double sum = 0;
    std::size_t readings = 0;
    for (const double watts : series.watts) {
      sum += std::isnan(watts) ? 0 : watts;
      readings += std::isnan(watts) ? 0 : 1;
    }
    return readings == 0 ? 0 : sum / static_cast<double>(readings);
  };
  std::vector<const ChassisSeries*> all;
  const ChassisSeries* whole = nullptr;
  for (const ChassisSeries& series : log.series) {
    all.push_back(&series);
    if (series.whole && (whole == nullptr || mean(series) > mean(*whole))) whole = &series;
  }
  return whole == nullptr ? all : std::vector<const ChassisSeries*>{whole};
}

const std::vector<std::string>& chassis_log_formats() {
  static const std::vector<std::string> all = {"ptd", "ipmitool", "redfish"};
  return all;
}

std::string find_chassis_format(const SeriesText& text) {
  TextLines lines = text.lines();
  for (int seen = 0; seen < kLooked && lines.next(); ++seen) {
    const std::string_view line = trimmed_cell(lines.line());
    if (line.starts_with("Time,") && line.find(",Watts,") != std::string_view::npos) return "ptd";
    if (line.starts_with("Instantaneous power reading")) return "ipmitool";
    if (line.find('|') != std::string_view::npos && line.find("Watts") != std::string_view::npos) return "ipmitool";
    for (const std::string_view word : {"\"PowerControl\"", "\"PowerConsumedWatts\"", "\"PowerWatts\"", "\"MetricValues\"", "\"PowerSupplies\""}) {
      if (line.find(word) != std::string_view::npos) return "redfish";
    }
  }
  return "";
}

ChassisLog read_chassis_log(const PowerLogOptions& options) {
  ChassisLog log = read(SeriesText(options.file, options.place), options);
  std::error_code ignored;
  if (std::filesystem::is_regular_file(options.file, ignored)) log.source.sha256 = sha256_of_file(options.file);
  return log;
}

ChassisLog read_chassis_log_text(std::string_view text, const PowerLogOptions& options) {
  ChassisLog log = read(SeriesText(text, options.file), options);
  log.source.sha256 = sha256(text);
  return log;
}

}  // namespace joulecast::traces
