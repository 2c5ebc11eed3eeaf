#include "study/sweep.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <mutex>
#include <set>

#include "study/parallel.hpp"
#include "study/pareto.hpp"
#include "study/sweep_objectives.hpp"

namespace joulecast::study {

namespace {

constexpr double kNotKnown = std::numeric_limits<double>::quiet_NaN();

/// All figures that any point has, each once, in the order in which they first come.
std::vector<Figure> figures_of_all(const std::vector<PointOutcome>& outcomes) {
  std::vector<Figure> all;
  std::set<std::string> known;
  for (const PointOutcome& outcome : outcomes) {
    for (const FigureValue& each : outcome.figures) {
      if (known.insert(each.figure.key).second) all.push_back(each.figure);
    }
  }
  return all;
}

std::vector<double> lined_up(const PointOutcome& outcome, const std::vector<Figure>& figures) {
  std::map<std::string, double> values;
  for (const FigureValue& each : outcome.figures) values.emplace(each.figure.key, each.value);
  std::vector<double> row;
  for (const Figure& figure : figures) {
    const auto found = values.find(figure.key);
    row.push_back(found == values.end() ? kNotKnown : found->second);
  }
  return row;
}

/// The objectives of a point, lower being better; NaN where a figure is not known or the point does not count.
std::vector<double> judged_values(const Sweep& sweep, const SweptPoint& point) {
  std::vector<double> values;
  const bool counts = point.failure.empty() && point.slo_held.value_or(true);
  for (const std::string& objective : sweep.objectives) {
    double value = kNotKnown;
    for (std::size_t f = 0; counts && f < sweep.figures.size(); ++f) {
      if (sweep.figures[f].key == objective) value = sweep.figures[f].better == Figure::Better::higher ? -point.values[f] : point.values[f];
    }
    values.push_back(value);
  }
  return values;
}

void judge(Sweep& sweep) {
  std::vector<std::vector<double>> judged;
  for (const SweptPoint& point : sweep.points) judged.push_back(judged_values(sweep, point));
  const std::vector<bool> front = pareto_front(judged);
  for (std::size_t i = 0; i < sweep.points.size(); ++i) sweep.points[i].on_front = front[i];
  for (std::size_t o = 0; o < sweep.objectives.size(); ++o) {
    std::optional<std::size_t> best;
    for (std::size_t i = 0; i < judged.size(); ++i) {
      if (std::isfinite(judged[i][o]) && (!best || judged[i][o] < judged[*best][o])) best = i;
    }
    sweep.best.push_back(best);
  }
}

}  // namespace

std::size_t Sweep::failed() const {
  return static_cast<std::size_t>(std::count_if(points.begin(), points.end(), [](const SweptPoint& p) { return !p.failure.empty(); }));
}

bool Sweep::states_slo() const {
  return std::any_of(points.begin(), points.end(), [](const SweptPoint& p) { return p.slo_held.has_value(); });
}

std::size_t Sweep::holding() const {
  return static_cast<std::size_t>(
      std::count_if(points.begin(), points.end(), [](const SweptPoint& p) { return p.failure.empty() && p.slo_held.value_or(true); }));
}

Sweep gather_sweep(const scenario::SweepFile& file, const ListedSweep& listed, const std::vector<PointOutcome>& outcomes) {
  JOULECAST_CHECK(outcomes.size() == listed.points.size(), "a sweep was gathered with points missing");
  Sweep sweep;
  sweep.name = file.name();
  sweep.hash = listed.hash;
  sweep.seed = file.seed();
  sweep.boundary = file.table().settings.boundary;
  sweep.axes = axes_of(file.table());
  sweep.figures = figures_of_all(outcomes);
  sweep.traffics = listed.traffics;
  sweep.jobs = listed.jobs;
  sweep.required = listed.required_slo;
  sweep.objectives = objectives_of(file.table().settings, sweep.traffics, sweep.jobs);
  sweep.inputs = listed.inputs;
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    const PointOutcome& outcome = outcomes[i];
    sweep.points.push_back({listed.points[i], lined_up(outcome, sweep.figures), outcome.attainments, outcome.slo_held(), false, outcome.failure});
  }
  if (sweep.failed() == sweep.points.size()) {
    throw UserError({file.path(), 0, 0}, "every point of the sweep failed; the first one:\n  " + sweep.points.front().failure, "mend what it says");
  }
  judge(sweep);
  return sweep;
}

void run_points(const scenario::SweepFile& file, const std::vector<std::size_t>& points, int threads, const std::atomic<bool>* stop,
                const PointDone& done) {
  std::mutex mutex;
  in_parallel(threads, points.size(), [&](std::size_t i) {
    if (stop != nullptr && stop->load()) return;
    const auto outcome = run_point(file, points[i], stop);
    if (!outcome) return;
    const std::lock_guard lock(mutex);
    done(points[i], *outcome);
  });
}

}  // namespace joulecast::study
