#include "traces/grid/formats.hpp"

namespace joulecast::traces {

std::string_view key_name(SeriesKey key) {
  constexpr std::string_view names[] = {"location", "sequence", "factor",     "unit",     "timezone",
                                        "time",     "value",    "date_order", "interval", "resolution"};
  return names[static_cast<std::size_t>(key)];
}

std::string_view key_reason(SeriesKey key) {
  switch (key) {
    case SeriesKey::factor:
      return "direct and life-cycle intensities differ, and the file has both or does not say";
    case SeriesKey::unit:
      return "the file does not say in what unit its values are";
    case SeriesKey::interval:
      return "the file does not say whether a row's time is the start or the end of its interval";
    default:
      return "the file does not say it";
  }
}

const std::vector<SeriesFormat>& all_series_formats() {
  using enum SeriesKey;
  static const std::vector<SeriesFormat> formats = {
      {"caiso", {}, {location, resolution}, read_caiso},
      {"carbon-aware", {unit}, {location, timezone, resolution}, read_carbon_aware},
      {"csv", {time, value, unit, interval}, {timezone, date_order, resolution}, read_plain_series},
      {"eia", {}, {resolution}, read_eia},
      {"electricitymaps", {factor}, {location, resolution}, read_electricitymaps},
      {"entsoe", {}, {location, sequence, timezone}, read_entsoe},
      {"ercot", {}, {location}, read_ercot},
      {"pjm", {}, {location, resolution}, read_pjm},
      {"watttime", {unit}, {timezone, value, interval, resolution}, read_watttime},
  };
  return formats;
}

const std::vector<std::string>& series_formats() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> out;
    for (const SeriesFormat& format : all_series_formats()) out.push_back(format.name);
    return out;
  }();
  return names;
}

const SeriesFormat* find_format(std::string_view name) {
  for (const SeriesFormat& format : all_series_formats()) {
    if (format.name == name) return &format;
  }
  return nullptr;
}

}  // namespace joulecast::traces
