#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "report/html/page_content.hpp"
#include "report/numbers.hpp"

namespace joulecast::report {

namespace {

using Json = nlohmann::ordered_json;

constexpr int kSchema = 1;
constexpr std::size_t kMostRows = 40;

std::string value_text(const Json& figure, const Json& value) {
  if (!value.is_number()) return std::string(kUnknown);
  const std::string unit = figure.value("unit", "");
  if (unit == "J") return scaled(joules(), value);
  if (unit == "W") return scaled(watts(), value);
  if (unit == "s") return scaled(seconds(), value);
  return three_digits(value) + (unit.empty() || unit == "1" ? "" : " " + unit);
}

/// The label of every key of a dimension at a point.
std::vector<std::string> labels_at(const Json& sweep, const Json& point) {
  std::vector<std::string> labels;
  for (std::size_t d = 0; d < sweep["dimension"].size(); ++d) {
    const auto at = point["at"][d].get<std::size_t>();
    for (const Json& key : sweep["dimension"][d]["keys"]) labels.push_back(key["labels"].at(at).get<std::string>());
  }
  return labels;
}

}  // namespace

PageContent sweep_content(const std::filesystem::path& folder) {
  const Json sweep = json_file(folder / "sweep.json", kSchema);
  PageContent page;
  page.kind = "sweep";
  page.title = sweep.value("name", "sweep");
  const std::size_t points = sweep["point"].size();
  page.subtitle = fmt::format("{} points over {} dimension{}; energy at {}", points, sweep["dimension"].size(),
                              sweep["dimension"].size() == 1 ? "" : "s", sweep.value("boundary", ""));
  if (const int failed = sweep.value("failed", 0); failed > 0)
    page.warnings.push_back(fmt::format("{} of {} points failed; sweep.json says why.", failed, points));
  FigureTable front{"Pareto front", {"Point"}, {}};
  for (const Json& dimension : sweep["dimension"]) {
    for (const Json& key : dimension["keys"]) front.columns.push_back(key.value("key", ""));
  }
  for (const Json& objective : sweep["objectives"]) front.columns.push_back(objective.get<std::string>());
  front.columns.emplace_back("SLO");
  std::size_t on_front = 0;
  for (const Json& point : sweep["point"]) {
    if (!point.value("on_front", false) || ++on_front > kMostRows) continue;
    std::vector<std::string> row{fmt::format("{}", point.value("number", 0))};
    for (std::string& label : labels_at(sweep, point)) row.push_back(std::move(label));
    for (const Json& objective : sweep["objectives"]) {
      const auto key = objective.get<std::string>();
      row.push_back(value_text(sweep["figure"].value(key, Json::object()), point["values"].value(key, Json())));
    }
    row.emplace_back(!point.contains("slo_held") ? std::string(kUnknown) : point["slo_held"].get<bool>() ? "held" : "missed");
    front.rows.push_back(std::move(row));
  }
  front.note = on_front > kMostRows ? fmt::format("The first {} of {} points of the front; sweep.csv has all.", kMostRows, on_front)
                                    : "No other point is better in one of these figures and no worse in the others.";
  page.tables.push_back(std::move(front));
  page.data["sweep"] = sweep;
  for (Json& point : page.data["sweep"]["point"]) {
    for (const char* left_out : {"settings", "hash", "slo", "coordinates"}) point.erase(left_out);
  }
  if (Json facts = steady_facts(folder); !facts.empty()) page.data["run"] = std::move(facts);
  page.data["report"] = text_file(folder / "report.txt");
  return page;
}

}  // namespace joulecast::report
