#include <fmt/format.h>

#include "traces/excerpt.hpp"
#include "traces/grid/formats.hpp"
#include "traces/grid/json.hpp"
#include "traces/grid/local_clock.hpp"

namespace joulecast::traces {
namespace {

constexpr const char* kUnit = "gCO2eq/kWh";
enum : std::size_t { kTime, kZone, kDirect, kLifeCycle, kEstimated };

std::vector<std::string> names(const char* words) {
  return {fmt::format("Carbon intensity gCO\u2082eq/kWh ({})", words), fmt::format("Carbon intensity gCO2eq/kWh ({})", words)};
}

std::vector<Column> columns(const std::string& factor) {
  std::vector<std::string> life_cycle = names("Life cycle");
  for (const auto& name : names("LCA")) life_cycle.push_back(name);
  return {{{"Datetime (UTC)"}, true},
          {{"Zone id", "Zone ID"}, false},
          {names("direct"), factor == "direct"},
          {std::move(life_cycle), factor == "life_cycle"},
          {{"Data estimated"}, false}};
}

void note_estimates(RawSeries& raw, std::size_t estimated) {
  if (estimated > 0) raw.notes.push_back(fmt::format("{} of {} values are estimates of Electricity Maps", estimated, raw.rows.size()));
}

RawSeries read_csv(const SeriesText& text, const SeriesOptions& options) {
  Delimited rows(text.lines(), columns(options.factor));
  const std::size_t value = options.factor == "direct" ? kDirect : kLifeCycle;
  RawSeries raw{{}, kUnit, Zone::find("UTC", options.place), false, {}};
  LocalClock clock(raw.zone);
  Locations zones(options.location, "zone");
  std::size_t estimated = 0;
  while (rows.next()) {
    if (rows.has(kZone) && !zones.keeps(rows.cell(kZone))) continue;
    const auto time = read_civil(rows.cell(kTime), DateOrder::ymd);
    if (!time) rows.refuse(kTime, "a date and time such as 2025-03-01 00:00:00", "write the time in that form", false);
    SeriesRow row{clock.moment(*time, LocalClock::Pass::by_order, rows.place(kTime)), std::nullopt, std::nullopt, rows.line_place().line};
    if (!read_value(rows, value, row.value)) break;
    raw.rows.push_back(row);
    if (rows.has(kEstimated) && (rows.cell(kEstimated) == "true" || rows.cell(kEstimated) == "True")) ++estimated;
  }
  check_torn(rows, options.torn_last_row, raw.notes);
  zones.check(text.name(), options.place);
  note_estimates(raw, estimated);
  return raw;
}

/// The answer's own word for the factor, where it says it, must be the scenario's.
void check_factor(const std::optional<std::string>& stated, const std::string& wanted, const std::string& where, const Place& place) {
  if (!stated) return;
  const std::string own = *stated == "lifecycle" ? "life_cycle" : *stated;
  if (own == wanted) return;
  throw UserError(place, fmt::format("{} holds {} intensities, and factor = \"{}\"", where, excerpt(own), wanted),
                  "write the factor that the file has");
}

RawSeries read_api(const SeriesText& text, const SeriesOptions& options) {
  const nlohmann::json answer = parse_json(text);
  const std::string& file = text.name();
  const char* list = present_key(answer, {"history", "data"});
  if (!answer.is_object() || !answer.contains(list) || !answer[list].is_array()) {
    throw UserError({file, 0, 0}, "the file has no list \"history\"",
                    "give the answer of the API's carbon-intensity history, or a CSV of the data portal");
  }
  RawSeries raw{{}, kUnit, Zone::find("UTC", options.place), false, {}};
  LocalClock clock(raw.zone);
  Locations zones(options.location, "zone");
  std::size_t estimated = 0, index = 0;
  for (const auto& point : answer[list]) {
    const std::string where = fmt::format("{}[{}]", list, index++);
    const auto zone = text_member(point, "zone", where, file);
    if (zone && !zones.keeps(*zone)) continue;
    const std::string written = required_text(point, "datetime", where, file);
    const auto time = read_civil(written, DateOrder::ymd);
    if (!time) throw UserError({file, 0, 0}, fmt::format("{}.datetime is \"{}\"", where, excerpt(written)), "write it as 2025-03-01T00:00:00.000Z");
    check_factor(text_member(point, "emissionFactorType", where, file), options.factor, where, options.place);
    SeriesRow row{clock.moment(*time, LocalClock::Pass::by_order, {file, 0, 0}), std::nullopt, std::nullopt, 0};
    if (const auto value = text_member(point, "carbonIntensity", where, file))
      row.value = read_number(*value, where + ".carbonIntensity", {file, 0, 0});
    raw.rows.push_back(row);
    if (text_member(point, "isEstimated", where, file) == "true") ++estimated;
  }
  zones.check(file, options.place);
  note_estimates(raw, estimated);
  return raw;
}

}  // namespace

RawSeries read_electricitymaps(const SeriesText& text, const SeriesOptions& options) {
  TextLines lines = text.lines();
  while (lines.next()) {
    const std::size_t first = lines.line().find_first_not_of(" \t\r");
    if (first == std::string_view::npos) continue;
    const char c = lines.line()[first];
    return c == '{' || c == '[' ? read_api(text, options) : read_csv(text, options);
  }
  return read_csv(text, options);
}

}  // namespace joulecast::traces
