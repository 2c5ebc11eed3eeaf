#include "report/sweep_json.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "base/csv.hpp"
#include "report/sweep_settings.hpp"
#include "study/better_name.hpp"

namespace joulecast::report {

namespace {

using Json = nlohmann::ordered_json;

constexpr int kSchema = 1;

Json part_json(const study::AxisPart& part) {
  Json object = {{"key", part.key}};
  if (part.numeric()) object["unit"] = part.unit;
  object["values"] = part.numeric() ? Json(part.numbers) : Json(part.labels);
  object["labels"] = part.labels;
  return object;
}

Json axis_json(const study::Axis& axis) {
  Json object = {{"name", axis.name}, {"size", axis.size()}, {"keys", Json::array()}};
  for (const study::AxisPart& part : axis.parts) object["keys"].push_back(part_json(part));
  return object;
}

Json coordinate(const study::AxisPart& part, std::size_t value) { return part.numeric() ? Json(part.numbers[value]) : Json(part.labels[value]); }

Json slo_json(const study::SweptPoint& point) {
  Json object = Json::object();
  for (const study::Attainment& each : point.attainments) {
    object[each.traffic] = {{"attainment", each.share}, {"required", each.required}, {"judged", each.judged}};
  }
  return object;
}

Json point_json(const study::Sweep& sweep, std::size_t number) {
  const study::SweptPoint& point = sweep.points[number];
  Json object = {{"number", number}, {"at", point.listed.at}}, coordinates = Json::object();
  for (std::size_t d = 0; d < sweep.axes.size(); ++d) {
    for (const study::AxisPart& part : sweep.axes[d].parts) coordinates[part.key] = coordinate(part, point.listed.at[d]);
  }
  object["coordinates"] = std::move(coordinates);
  object["settings"] = settings_words(point.listed.settings);
  if (!point.listed.hash.empty()) object["hash"] = point.listed.hash;
  object["on_front"] = point.on_front;
  if (point.slo_held) object["slo_held"] = *point.slo_held;
  if (!point.attainments.empty()) object["slo"] = slo_json(point);
  if (!point.failure.empty()) object["failure"] = point.failure;
  Json values = Json::object();
  for (std::size_t f = 0; f < sweep.figures.size(); ++f) {
    if (std::isfinite(point.values[f])) values[sweep.figures[f].key] = point.values[f];
  }
  object["values"] = std::move(values);
  return object;
}

std::string yes_no(bool value) { return value ? "yes" : "no"; }

std::string number(double value) { return std::isfinite(value) ? fmt::format("{}", value) : ""; }

}  // namespace

std::string sweep_json(const study::Sweep& sweep) {
  Json object = {{"schema", kSchema}, {"name", sweep.name}, {"seed", sweep.seed}, {"boundary", metering::name(sweep.boundary)}};
  object["dimension"] = Json::array();
  for (const study::Axis& axis : sweep.axes) object["dimension"].push_back(axis_json(axis));
  object["objectives"] = sweep.objectives;
  Json best = Json::object(), figures = Json::object(), points = Json::array();
  for (std::size_t o = 0; o < sweep.objectives.size(); ++o) {
    if (sweep.best[o]) best[sweep.objectives[o]] = *sweep.best[o];
  }
  object["best"] = std::move(best);
  object["failed"] = sweep.failed();
  for (const study::Figure& figure : sweep.figures) figures[figure.key] = {{"unit", figure.unit}, {"better", study::name(figure.better)}};
  object["figure"] = std::move(figures);
  for (std::size_t i = 0; i < sweep.points.size(); ++i) points.push_back(point_json(sweep, i));
  object["point"] = std::move(points);
  return object.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string sweep_csv(const study::Sweep& sweep) {
  std::string text = "point";
  for (const study::Axis& axis : sweep.axes) {
    for (const study::AxisPart& part : axis.parts) text += "," + csv_cell(part.key);
  }
  text += ",on_front,slo_held,failure";
  for (const study::Figure& figure : sweep.figures) text += "," + csv_cell(figure.key);
  text += ",settings\n";
  for (std::size_t i = 0; i < sweep.points.size(); ++i) {
    const study::SweptPoint& point = sweep.points[i];
    text += fmt::format("{}", i);
    for (std::size_t d = 0; d < sweep.axes.size(); ++d) {
      for (const study::AxisPart& part : sweep.axes[d].parts) {
        const std::size_t value = point.listed.at[d];
        text += "," + (part.numeric() ? number(part.numbers[value]) : csv_cell(part.labels[value]));
      }
    }
    text += fmt::format(",{},{},{}", yes_no(point.on_front), point.slo_held ? yes_no(*point.slo_held) : "", csv_cell(point.failure));
    for (const double value : point.values) text += "," + number(value);
    text += "," + csv_cell(settings_words(point.listed.settings)) + "\n";
  }
  return text;
}

}  // namespace joulecast::report
