#pragma once

#include <cstdlib>
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "traces/grid/civil_time.hpp"
#include "traces/grid/open.hpp"

namespace joulecast::traces::test {

/// A series as a scenario's file states it: `keys` beside `file`.
inline SeriesOptions series(const std::string& keys) {
  const config::Node root = config::parse_text("s = { file = \"s.csv\", " + keys + " }", "scenario.toml");
  config::Diagnostics diagnostics;
  SeriesOptions options = series_record().read(*root.as<config::Table>()->find("s"), diagnostics);
  diagnostics.throw_if_failed();
  return options;
}

inline Series prices(std::string_view text, const std::string& keys) { return read_series_text(text, series(keys), SeriesKind::price); }
inline Series carbon(std::string_view text, const std::string& keys) { return read_series_text(text, series(keys), SeriesKind::carbon); }

/// "PLACE: what\n  remedy" of the faults with which a series is refused; "" where it is read.
template <class Read>
std::string refused(Read read) {
  try {
    read();
    return "";
  } catch (const UserError& error) {
    std::string all;
    for (const UserFault& fault : error.faults()) all += fault.text() + "\n";
    return all;
  }
}

/// A moment by its date and time with offset: "2025-03-30T00:00:00Z".
inline std::int64_t ns(std::string_view text) {
  const auto time = read_civil(text, DateOrder::ymd);
  return time->local_ns - time->offset_minutes.value_or(0) * 60'000'000'000;
}

inline constexpr std::int64_t kHour = 3'600'000'000'000, kQuarter = kHour / 4;
/// Per joule of 1 per MWh, and of 1 g/kWh.
inline constexpr double kMWh = 3.6e9, kKWh = 3.6e6;

inline std::string all_notes(const Series& series) {
  std::string all;
  for (const std::string& note : series.notes) all += note + "\n";
  return all;
}

/// The folder of measured data, or nullptr where JOULECAST_DATA is not set.
inline const char* measured() { return std::getenv("JOULECAST_DATA"); }

}  // namespace joulecast::traces::test
