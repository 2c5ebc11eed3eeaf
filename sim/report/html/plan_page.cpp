#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "report/html/page_content.hpp"
#include "report/numbers.hpp"

namespace joulecast::report {

namespace {

using Json = nlohmann::ordered_json;

constexpr int kSchema = 1;

double number(const Json& object, const std::string& pointer) {
  const Json value = object.value(Json::json_pointer(pointer), Json());
  return value.is_number() ? value.get<double>() : std::numeric_limits<double>::quiet_NaN();
}

std::string money(const Json& fleet, const std::string& pointer) {
  const double value = number(fleet, pointer);
  return std::isfinite(value) ? three_digits(value) + " " + fleet.value(Json::json_pointer("/cost/currency"), "") : std::string(kUnknown);
}

std::string whole(double value) { return std::isfinite(value) ? fmt::format("{:.0f}", value) : std::string(kUnknown); }

FigureTable candidates(const Json& plan) {
  FigureTable table{"Candidates",
                    {"Candidate", "Verdict", "Nodes", "GPUs", "15 min peak, IT", "J per output token, facility", "Cost a month", "Per M tokens in",
                     "Per M tokens out", "Load that holds", "Fails first", "Tier"},
                    {}};
  for (const auto& [name, each] : plan["candidate"].items()) {
    const Json fleet = each.value("fleet", Json::object());
    const double load = number(each, "/load/scale");
    std::string verdict = each.value("verdict", "");
    std::replace(verdict.begin(), verdict.end(), '_', ' ');
    table.rows.push_back({name, verdict, whole(number(fleet, "/nodes")), whole(number(fleet, "/gpus")),
                          scaled(watts(), number(fleet, "/peak_it_watts")),
                          scaled(joules(), number(fleet, "/energy_per_output_token_joules/facility")), money(fleet, "/cost/total_per_month"),
                          money(fleet, "/cost/per_million_input"), money(fleet, "/cost/per_million_output"),
                          std::isfinite(load) ? three_digits(load) + " x" : std::string(kUnknown),
                          each.value(Json::json_pointer("/load/fails_first"), std::string(kUnknown)),
                          each.value(Json::json_pointer("/fleet/tier/watts"), std::string(kUnknown))});
  }
  return table;
}

FigureTable turns(const Json& plan) {
  FigureTable table{"What would turn the answer", {"Input", "Now", "Turns at", "To", "What"}, {}};
  for (const Json& each : plan.value("turns", Json::array())) {
    const std::string unit = each.value("unit", "");
    const auto with_unit = [&](double value) {
      return std::isfinite(value) ? three_digits(value) + (unit.empty() ? "" : " " + unit) : std::string(kUnknown);
    };
    table.rows.push_back({each.value("input", ""), with_unit(number(each, "/now")), with_unit(number(each, "/at")),
                          each.value("to", std::string(kUnknown)),
                          each.value("what", "") + (each.value("simulated", false) ? "" : " (not simulated)")});
  }
  return table;
}

}  // namespace

PageContent plan_content(const std::filesystem::path& folder) {
  const Json plan = json_file(folder / "plan.json", kSchema);
  PageContent page;
  page.kind = "plan";
  page.title = plan.value("name", "plan");
  const Json winner = plan.value("winner", Json::object());
  std::string answer;
  for (const auto& [key, words] : {std::pair{"cost", "cheapest"}, std::pair{"energy", "most frugal"}, std::pair{"gpus", "fewest GPUs"}}) {
    if (winner.contains(key)) answer += fmt::format("{}{}: {}", answer.empty() ? "" : " · ", words, winner[key].get<std::string>());
  }
  page.subtitle = answer.empty() ? "no fleet holds what was asked" : answer;
  if (plan.contains("binding")) page.warnings.push_back(plan["binding"].is_string() ? plan["binding"].get<std::string>() : plan["binding"].dump());
  page.tables.push_back(candidates(plan));
  if (FigureTable table = turns(plan); !table.rows.empty()) page.tables.push_back(std::move(table));
  page.data["plan"] = plan;
  if (Json facts = steady_facts(folder); !facts.empty()) page.data["run"] = std::move(facts);
  page.data["report"] = text_file(folder / "report.txt");
  return page;
}

}  // namespace joulecast::report
