#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/error.hpp"
#include "base/quantity.hpp"
#include "config/record.hpp"
#include "traces/grid/civil_time.hpp"

namespace joulecast::traces {

enum class Gaps : std::uint8_t { error, hold, interpolate };

/// A series of prices or carbon intensities and how its file is read: `price = { file = "de-lu.csv", format = "entsoe", sequence = 1 }`.
struct SeriesOptions {
  std::string file;  ///< as written, relative to the file that `place` names
  Place place;
  std::string format;
  std::string location;                  ///< of a file with several: area, zone, node, bus
  std::optional<std::int64_t> sequence;  ///< with "entsoe"
  std::string factor;                    ///< with "electricitymaps": "direct" or "life_cycle"
  std::string unit;                      ///< of a file that does not say: "EUR/MWh", "lb/MWh"
  std::string timezone;                  ///< of times without an offset, where the format does not fix it
  std::string time_column, value_column;
  std::optional<DateOrder> date_order;  ///< with "csv"; absent: ymd
  std::string interval;                 ///< "start" or "end"
  std::optional<Seconds> resolution;
  Gaps gaps = Gaps::error;
  bool repeat = false;
  std::string torn_last_row = "error";  ///< or "drop"
};

/// Which keys each format takes and needs is checked here.
config::Record<SeriesOptions> series_record();

/// The path that `options.file` means.
std::string series_path(const SeriesOptions& options);

}  // namespace joulecast::traces
