#include <fmt/format.h>

#include "traces/excerpt.hpp"
#include "traces/grid/formats.hpp"
#include "traces/grid/json.hpp"
#include "traces/grid/local_clock.hpp"

namespace joulecast::traces {

RawSeries read_carbon_aware(const SeriesText& text, const SeriesOptions& options) {
  const nlohmann::json all = parse_json(text);
  const std::string& file = text.name();
  const nlohmann::json* list = &all;
  if (all.is_object()) list = all.contains("Emissions") ? &all["Emissions"] : nullptr;
  if (list == nullptr || !list->is_array()) {
    throw UserError({file, 0, 0}, "the file has no list \"Emissions\"",
                    "give a file { \"Emissions\": [ { \"Location\", \"Rating\", \"Time\" }, .. ] }");
  }
  RawSeries raw;
  raw.unit = options.unit;
  if (!options.timezone.empty()) raw.zone = Zone::find(options.timezone, options.place);
  LocalClock clock(raw.zone);
  Locations locations(options.location, "location");
  std::size_t index = 0;
  for (const auto& point : *list) {
    const std::string where = fmt::format("Emissions[{}]", index++);
    const auto location = text_member(point, present_key(point, {"Location", "location"}), where, file);
    if (location && !locations.keeps(*location)) continue;
    const std::string written = required_text(point, present_key(point, {"Time", "time"}), where, file);
    const auto time = read_civil(written, DateOrder::ymd);
    if (!time) throw UserError({file, 0, 0}, fmt::format("{}.Time is \"{}\"", where, excerpt(written)), "write it as 2025-03-01T00:00:00Z");
    SeriesRow row{clock.moment(*time, LocalClock::Pass::by_order, {file, 0, 0}), std::nullopt, std::nullopt, 0};
    if (const auto value = text_member(point, present_key(point, {"Rating", "rating"}), where, file)) {
      row.value = read_number(*value, where + ".Rating", {file, 0, 0});
    }
    raw.rows.push_back(row);
  }
  locations.check(file, options.place);
  return raw;
}

}  // namespace joulecast::traces
