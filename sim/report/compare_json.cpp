#include "report/compare_json.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "base/csv.hpp"
#include "report/compare_draws_json.hpp"
#include "study/better_name.hpp"

namespace joulecast::report {

namespace {

using Json = nlohmann::ordered_json;
using study::Estimate;

constexpr int kSchema = 1;

const char* hold(scenario::Hold hold) { return hold == scenario::Hold::slo ? "slo" : "traffic"; }

const char* method(study::Spread spread) {
  switch (spread) {
    case study::Spread::none:
      return "none";
    case study::Spread::draws:
      return "student_t_of_the_mean";
    case study::Spread::blocks:
      return "local_block_bootstrap";
  }
  return "";
}

void put(Json& object, const std::string& prefix, const Estimate& estimate) {
  object[prefix + "value"] = estimate.value;
  if (estimate.low) object[prefix + "interval"] = Json::array({*estimate.low, *estimate.high});
}

Json difference(const study::Difference& difference) {
  Json object = Json::object();
  put(object, "", difference.absolute);
  if (difference.relative) put(object, "relative_", *difference.relative);
  object["verdict"] = study::name(difference.verdict);
  return object;
}

Json load(const study::LoadAtSlo& load) {
  Json object = Json::object();
  object["held"] = load.found.load.has_value();
  if (load.found.load) {
    object["scale"] = *load.found.load;
    object["requests_per_s"] = load.requests_per_s;
    object["bounded"] = load.found.bounded;
  }
  object["monotone"] = load.found.monotone;
  object["rise"] = load.found.rise;
  Json reached = Json::object();
  for (const study::Attainment& each : load.attainments) reached[each.traffic] = {{"attainment", each.share}, {"required", each.required}};
  object["traffic"] = std::move(reached);
  Json tried = Json::array();
  for (const study::TriedLoad& each : load.found.tried) {
    tried.push_back({{"scale", each.load}, {"held", each.judgement.held}, {"margin", each.judgement.margin}});
  }
  object["tried"] = std::move(tried);
  return object;
}

Json arm(const study::Comparison& comparison, std::size_t number) {
  const study::ComparedArm& arm = comparison.arms[number];
  Json object = Json::object(), values = Json::object(), runs = Json::object(), differences = Json::object();
  for (std::size_t f = 0; f < comparison.figures.size(); ++f) {
    const std::string& key = comparison.figures[f].key;
    if (arm.values[f]) {
      put(values[key], "", *arm.values[f]);
      if (comparison.spread != study::Spread::none) {
        for (const study::ArmRun& run : arm.runs) runs[key].push_back(run.values[f]);
      }
    }
    if (arm.differences[f]) differences[key] = difference(*arm.differences[f]);
  }
  object["held"] = arm.held();
  if (arm.once.load) object["load"] = load(*arm.once.load);
  object["values"] = std::move(values);
  if (!runs.empty()) object["replications"] = std::move(runs);
  if (!differences.empty()) object["difference"] = std::move(differences);
  if (comparison.drawn) object["profile_error"] = drawn_arm_json(comparison, number);
  return object;
}

Json json_of(const study::Comparison& comparison) {
  const scenario::CompareTable& settings = comparison.settings;
  Json object = {{"schema", kSchema}, {"name", comparison.name}, {"seed", comparison.seed}};
  if (comparison.partial) object["partial"] = true;
  object["reference"] = comparison.arms[comparison.reference].name;
  object["boundary"] = metering::name(settings.boundary);
  object["hold"] = hold(settings.hold);
  object["interval_method"] = method(comparison.spread);
  if (comparison.spread != study::Spread::none) object["confidence"] = comparison.confidence;
  if (settings.resample) {
    object["resample"] = {
        {"what", settings.resample->what}, {"blocks_s", settings.resample->blocks.si()}, {"within_s", settings.resample->within.si()}};
  }
  Json seeds = Json::array();
  for (const study::Replication& each : comparison.replications) seeds.push_back(each.seed);
  object["seeds"] = std::move(seeds);
  if (settings.hold == scenario::Hold::traffic) object["same_requests"] = comparison.same_requests;
  Json figures = Json::object(), arms = Json::object();
  for (const study::Figure& figure : comparison.figures) figures[figure.key] = {{"unit", figure.unit}, {"better", study::name(figure.better)}};
  for (std::size_t a = 0; a < comparison.arms.size(); ++a) arms[comparison.arms[a].name] = arm(comparison, a);
  object["figure"] = std::move(figures);
  object["arm"] = std::move(arms);
  if (comparison.drawn) object["uncertainty"] = compare_draws_json(comparison);
  return object;
}

std::string cells(const std::optional<Estimate>& estimate) {
  if (!estimate) return ",,";
  if (!estimate->low) return fmt::format("{},,", estimate->value);
  return fmt::format("{},{},{}", estimate->value, *estimate->low, *estimate->high);
}

}  // namespace

std::string compare_json(const study::Comparison& comparison) {
  return json_of(comparison).dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string compare_csv(const study::Comparison& comparison) {
  std::string text = "arm,figure,unit,value,low,high,difference,difference_low,difference_high,relative,relative_low,relative_high,verdict";
  text += (comparison.drawn ? drawn_headings() : "") + "\n";
  for (std::size_t a = 0; a < comparison.arms.size(); ++a) {
    const study::ComparedArm& arm = comparison.arms[a];
    for (std::size_t f = 0; f < comparison.figures.size(); ++f) {
      if (!arm.values[f]) continue;
      const auto& difference = arm.differences[f];
      text +=
          fmt::format("{},{},{},{},{},{},{}{}\n", arm.name, csv_cell(comparison.figures[f].key), comparison.figures[f].unit, cells(arm.values[f]),
                      cells(difference ? std::optional(difference->absolute) : std::nullopt), cells(difference ? difference->relative : std::nullopt),
                      difference ? study::name(difference->verdict) : "", comparison.drawn ? drawn_cells(comparison, a, f) : "");
    }
  }
  return text;
}

}  // namespace joulecast::report
