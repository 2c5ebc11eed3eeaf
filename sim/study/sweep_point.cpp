#include "study/sweep_point.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "scenario/simulate.hpp"

namespace joulecast::study {

namespace {

/// The figures at every boundary, each once.
std::vector<FigureValue> all_figures(const scenario::Result& result) {
  std::vector<FigureValue> all;
  for (int b = 0; b < metering::kBoundaries; ++b) {
    for (FigureValue& each : figures_of(result, static_cast<metering::Boundary>(b))) {
      const bool known = std::any_of(all.begin(), all.end(), [&](const FigureValue& other) { return other.figure.key == each.figure.key; });
      if (!known) all.push_back(std::move(each));
    }
  }
  return all;
}

}  // namespace

std::optional<bool> PointOutcome::slo_held() const {
  if (attainments.empty()) return std::nullopt;
  return judgement(attainments).held;
}

std::optional<PointOutcome> run_point(const scenario::SweepFile& file, std::size_t point, const std::atomic<bool>* stop) {
  PointOutcome outcome;
  try {
    const scenario::Scenario scenario = file.scenario(point);
    scenario::RunOptions options;
    options.keep_requests = true;
    options.stop = stop;
    const scenario::Result result = scenario::simulate(scenario, options);
    if (result.partial) return std::nullopt;
    outcome.figures = all_figures(result);
    outcome.attainments = attainments(scenario, result);
  } catch (const UserError& error) {
    outcome = {};
    outcome.failure = error.what();
  }
  return outcome;
}

}  // namespace joulecast::study
