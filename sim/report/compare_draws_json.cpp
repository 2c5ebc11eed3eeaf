#include "report/compare_draws_json.hpp"

#include <fmt/format.h>

#include "study/prediction_interval.hpp"

namespace joulecast::report {

namespace {

using Json = nlohmann::ordered_json;

constexpr double kWorthSaying = 0.01;

Json pair_of(const fit::Interval& interval) { return Json::array({interval.low, interval.high}); }

std::string cells(const std::optional<fit::Interval>& interval) { return interval ? fmt::format(",{},{}", interval->low, interval->high) : ",,"; }

}  // namespace

Json compare_draws_json(const study::Comparison& comparison) {
  const study::CompareDraws& drawn = *comparison.drawn;
  Json object = {{"draws", drawn.numbers.size()},
                 {"seed", comparison.seed},
                 {"method", study::name(study::interval_law(drawn.numbers.size()))},
                 {"confidence", 0.8}};
  if (drawn.partial) object["partial"] = true;
  Json sources = Json::array();
  for (std::size_t s = 0; s < drawn.sources.size(); ++s) {
    const scenario::ErrorSource& source = drawn.sources[s];
    Json shares = Json::object();
    for (std::size_t a = 0; a < comparison.arms.size(); ++a) {
      for (std::size_t f = 0; f < comparison.figures.size(); ++f) {
        const auto& difference = drawn.arms[a].differences[f];
        if (!difference || !difference->shares || difference->shares->of_source[s] < kWorthSaying) continue;
        shares[comparison.arms[a].name][comparison.figures[f].key] = difference->shares->of_source[s];
      }
    }
    sources.push_back({{"name", source.name},
                       {"file", source.file},
                       {"key", source.key},
                       {"relative_error", source.relative_error},
                       {"drawn_error", source.drawn_error},
                       {"share_of_difference", std::move(shares)},
                       {"remedy", source.remedy}});
  }
  object["sources"] = std::move(sources);
  return object;
}

Json drawn_arm_json(const study::Comparison& comparison, std::size_t arm) {
  const study::DrawnArm& drawn = comparison.drawn->arms[arm];
  Json values = Json::object(), differences = Json::object();
  for (std::size_t f = 0; f < comparison.figures.size(); ++f) {
    const std::string& key = comparison.figures[f].key;
    if (drawn.levels[f]) values[key] = pair_of(*drawn.levels[f]);
    const auto& difference = drawn.differences[f];
    if (!difference || arm == comparison.reference) continue;
    Json entry = {{"interval", pair_of(difference->absolute)}};
    if (difference->relative) entry["relative_interval"] = pair_of(*difference->relative);
    entry["verdict"] = study::name(difference->verdict);
    entry["lower_in"] = difference->lower_in;
    if (difference->shares) entry["unexplained"] = difference->shares->unexplained;
    differences[key] = std::move(entry);
  }
  Json object = {{"values", std::move(values)}};
  if (!differences.empty()) object["difference"] = std::move(differences);
  return object;
}

std::string drawn_headings() {
  return ",profile_low,profile_high,difference_profile_low,difference_profile_high,relative_profile_low,relative_profile_high,profile_verdict";
}

std::string drawn_cells(const study::Comparison& comparison, std::size_t arm, std::size_t figure) {
  const study::DrawnArm& drawn = comparison.drawn->arms[arm];
  const auto& difference = drawn.differences[figure];
  return cells(drawn.levels[figure]) + cells(difference ? std::optional(difference->absolute) : std::nullopt) +
         cells(difference ? difference->relative : std::nullopt) + "," + (difference ? study::name(difference->verdict) : "");
}

}  // namespace joulecast::report
