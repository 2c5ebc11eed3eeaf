#include "report/uncertainty_json.hpp"

namespace joulecast::report {

namespace {

using Json = nlohmann::ordered_json;

constexpr double kWorthSaying = 1e-3;

Json pair_of(const fit::Interval& interval) { return Json::array({interval.low, interval.high}); }

}  // namespace

Json drawn_intervals(const study::Uncertainty& known) {
  Json object = Json::object();
  for (const study::UncertainFigure& figure : known.figures) {
    if (!figure.interval) continue;
    Json* at = &object;
    for (const std::string& part : figure.figure.path) at = &(*at)[part];
    *at = pair_of(*figure.interval);
  }
  return object;
}

Json uncertainty_json(const study::Uncertainty& known) {
  Json object = {{"draws", known.draws.size()}, {"seed", known.seed}, {"method", study::name(study::interval_law(known.draws.size()))}};
  if (known.partial) object["partial"] = true;
  Json intervals = Json::object(), unexplained = Json::object(), sources = Json::array();
  for (const study::UncertainFigure& figure : known.figures) {
    if (figure.interval) intervals[figure.figure.key()] = pair_of(*figure.interval);
    if (figure.shares) unexplained[figure.figure.key()] = figure.shares->unexplained;
  }
  for (std::size_t s = 0; s < known.sources.size(); ++s) {
    const scenario::ErrorSource& source = known.sources[s];
    Json shares = Json::object();
    for (const study::UncertainFigure& figure : known.figures) {
      if (figure.shares && figure.shares->of_source[s] >= kWorthSaying) shares[figure.figure.key()] = figure.shares->of_source[s];
    }
    sources.push_back({{"name", source.name},
                       {"file", source.file},
                       {"key", source.key},
                       {"relative_error", source.relative_error},
                       {"drawn_error", source.drawn_error},
                       {"share", std::move(shares)},
                       {"remedy", source.remedy}});
  }
  object["intervals"] = std::move(intervals);
  object["sources"] = std::move(sources);
  object["unexplained"] = std::move(unexplained);
  return object;
}

}  // namespace joulecast::report
