#include "study/uncertainty.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <utility>

#include "base/error.hpp"
#include "scenario/simulate.hpp"
#include "study/error_draws.hpp"
#include "study/parallel.hpp"

namespace joulecast::study {

namespace {

std::vector<double> lined_up(const std::vector<HeadlineValue>& values, const std::vector<UncertainFigure>& figures) {
  std::vector<double> row;
  for (const UncertainFigure& figure : figures) {
    const auto found = std::find_if(values.begin(), values.end(), [&](const HeadlineValue& each) { return each.figure.path == figure.figure.path; });
    row.push_back(found == values.end() ? std::numeric_limits<double>::quiet_NaN() : found->value);
  }
  return row;
}

void judge(Uncertainty& known) {
  std::vector<std::vector<double>> normals;
  for (const ErrorDraw& draw : known.draws) normals.push_back(draw.normals);
  for (std::size_t f = 0; f < known.figures.size(); ++f) {
    std::vector<double> values;
    for (const ErrorDraw& draw : known.draws) values.push_back(draw.values[f]);
    if (!std::all_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); })) continue;
    known.figures[f].interval = prediction_interval(values);
    if (values.size() >= kFewDraws) known.figures[f].shares = variance_shares(normals, values);
  }
}

}  // namespace

const UncertainFigure* Uncertainty::find(const std::string& key) const {
  const auto found = std::find_if(figures.begin(), figures.end(), [&](const UncertainFigure& each) { return each.figure.key() == key; });
  return found == figures.end() ? nullptr : &*found;
}

std::optional<Uncertainty> uncertainty(const scenario::Scenario& scenario, const scenario::Result& stated, const UncertaintyOptions& options) {
  JOULECAST_CHECK(options.draws >= 2, "at least two draws");
  Uncertainty known;
  known.seed = scenario.seed;
  known.asked = options.draws;
  known.sources = scenario::error_sources(scenario, stated.energy);
  for (HeadlineValue& each : headline_figures(stated)) known.figures.push_back({std::move(each.figure), each.value, {}, {}});

  std::vector<std::optional<ErrorDraw>> draws(options.draws);
  std::mutex mutex;
  std::size_t done = 0;
  in_parallel(options.threads, options.draws, [&](std::size_t d) {
    if (options.stop != nullptr && options.stop->load()) return;
    ErrorDraw draw{d, drawn_seed(scenario.seed, d), drawn_normals(scenario.seed, known.sources, d), {}};
    scenario::Scenario drawn = scenario::perturbed(scenario, known.sources, draw.normals);
    drawn.seed = draw.seed;
    scenario::RunOptions run;
    run.stop = options.stop;
    const scenario::Result result = scenario::simulate(drawn, run);
    if (result.partial) return;
    draw.values = lined_up(headline_figures(result), known.figures);
    const std::lock_guard lock(mutex);
    draws[d] = std::move(draw);
    if (options.progress) options.progress(++done, options.draws);
  });
  for (std::optional<ErrorDraw>& draw : draws) {
    if (draw) known.draws.push_back(*std::move(draw));
  }
  known.partial = known.draws.size() < options.draws;
  if (known.partial && known.draws.size() < kLeastDraws) return std::nullopt;
  judge(known);
  return known;
}

}  // namespace joulecast::study
