#include <fmt/format.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "report/html/page_content.hpp"
#include "report/numbers.hpp"

namespace joulecast::report {

namespace {

using Json = nlohmann::ordered_json;

constexpr int kSchema = 1;

/// The figures that a table of arms shows: keys with `part` in them that end with `end`.
struct Shown {
  const char *part, *end, *words;
};
constexpr Shown kFigures[] = {{"energy_joules.", "", "Energy"},
                              {"energy_per_output_token_joules.", "", "Per output token"},
                              {"power_watts.", ".mean", "Mean power"},
                              {"slo_attainment", "", "Within SLO"},
                              {"ttft_s.", ".p99", "TTFT p99"},
                              {"tpot_s.", ".p99", "TPOT p99"},
                              {"iteration_s", "", "Iteration"},
                              {"iteration_joules", "", "GPU energy of an iteration"},
                              {"cost.total", "", "Cost"},
                              {"carbon_grams", "", "CO2e"}};
constexpr std::size_t kMostColumns = 8;

struct Column {
  std::string key, words;
};

std::string value_text(const std::string& unit, double value) {
  if (unit == "J") return scaled(joules(), value);
  if (unit == "W") return scaled(watts(), value);
  if (unit == "s") return scaled(seconds(), value);
  if (unit == "g") return scaled(grams(), value);
  return three_digits(value) + (unit.empty() || unit == "1" ? "" : " " + unit);
}

std::string signed_percent(double share) {
  const double points = 100 * share;
  return fmt::format("{}{} %", points > 0 ? "+" : "", fmt::format("{:.{}f}", points, std::abs(points) < 9.95 ? 2 : 1));
}

/// Figures worth a column, named after the traffic or job where several have one.
std::vector<Column> columns(const Json& compared) {
  std::vector<Column> all;
  for (const Shown& shown : kFigures) {
    std::vector<std::string> keys;
    for (const auto& [key, figure] : compared["figure"].items()) {
      if (key.find(shown.part) != std::string::npos && key.ends_with(shown.end)) keys.push_back(key);
    }
    for (const std::string& key : keys) {
      const std::size_t from = key.find('.') + 1;
      const std::string owner = keys.size() > 1 ? key.substr(from, key.find('.', from) - from) + ": " : "";
      if (all.size() < kMostColumns) all.push_back({key, owner + shown.words});
    }
  }
  return all;
}

}  // namespace

PageContent compare_content(const std::filesystem::path& folder) {
  const Json compared = json_file(folder / "compare.json", kSchema);
  PageContent page;
  page.kind = "compare";
  page.title = compared.value("name", "comparison");
  const std::size_t replications = compared["seeds"].size();
  page.subtitle = fmt::format("{} arms, {} replication{}, against {}; energy at {}", compared["arm"].size(), replications,
                              replications == 1 ? "" : "s", compared.value("reference", ""), compared.value("boundary", ""));
  if (compared.value("partial", false)) page.warnings.emplace_back("Interrupted: not every replication was run.");
  FigureTable values{"Arms", {"Arm"}, {}}, differences{fmt::format("Difference from {}", compared.value("reference", "")), {"Arm"}, {}};
  const std::vector<Column> shown = columns(compared);
  for (const Column& column : shown) {
    values.columns.push_back(column.words);
    differences.columns.push_back(column.words);
  }
  const bool intervals = compared.contains("confidence");
  for (const auto& [name, arm] : compared["arm"].items()) {
    if (!arm.value("held", true)) page.warnings.push_back(fmt::format("{}: no load holds its SLO.", name));
    std::vector<std::string> row{name}, difference{name};
    for (const auto& [key, words] : shown) {
      const std::string unit = compared["figure"][key].value("unit", "");
      const bool known = arm["values"].contains(key) && arm["values"][key]["value"].is_number();
      row.push_back(known ? value_text(unit, arm["values"][key]["value"]) : std::string(kUnknown));
      std::string cell(kUnknown);
      if (arm.contains("difference") && arm["difference"].contains(key)) {
        const Json& each = arm["difference"][key];
        if (each.contains("relative_value") && each["relative_value"].is_number()) {
          cell = signed_percent(each["relative_value"]);
          if (each.contains("relative_interval") && each["relative_interval"][0].is_number()) {
            cell += fmt::format(" ({} to {})", signed_percent(each["relative_interval"][0]), signed_percent(each["relative_interval"][1]));
          }
        }
      }
      difference.push_back(cell);
    }
    values.rows.push_back(std::move(row));
    if (name != compared.value("reference", "")) differences.rows.push_back(std::move(difference));
  }
  if (intervals) differences.note = fmt::format("In brackets: {:.0f} % intervals over replications.", 100 * compared["confidence"].get<double>());
  page.tables = {std::move(values), std::move(differences)};
  page.data["compare"] = compared;
  if (Json facts = steady_facts(folder); !facts.empty()) page.data["run"] = std::move(facts);
  const std::string reference = compared.value("reference", "");
  page.data["scenario"] = text_file(folder / "arms" / reference / "scenario.resolved.toml");
  page.data["report"] = text_file(folder / "report.txt");
  return page;
}

}  // namespace joulecast::report
