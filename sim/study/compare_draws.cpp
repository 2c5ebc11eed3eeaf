#include "study/compare_draws.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>

#include "base/error.hpp"
#include "study/arm_run.hpp"
#include "study/compare.hpp"
#include "study/error_draws.hpp"
#include "study/parallel.hpp"
#include "study/prediction_interval.hpp"
#include "study/uncertainty.hpp"

namespace joulecast::study {

namespace {

using Rows = std::vector<std::vector<std::optional<std::vector<double>>>>;  ///< figures by draw and arm

std::vector<double> lined_up(const RawRun& run, const std::vector<Figure>& figures) {
  std::vector<double> row;
  for (const Figure& figure : figures) {
    const auto found = std::find_if(run.figures.begin(), run.figures.end(), [&](const FigureValue& each) { return each.figure.key == figure.key; });
    row.push_back(found == run.figures.end() ? std::numeric_limits<double>::quiet_NaN() : found->value);
  }
  return row;
}

bool finite(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); });
}

Verdict verdict_of(const fit::Interval& interval, const std::vector<double>& differences) {
  if (std::all_of(differences.begin(), differences.end(), [](double difference) { return difference == 0; })) return Verdict::same;
  return interval.low > 0 ? Verdict::higher : interval.high < 0 ? Verdict::lower : Verdict::within_noise;
}

std::optional<DrawnDifference> difference(const std::vector<double>& own, const std::vector<double>& its,
                                          const std::vector<std::vector<double>>& normals) {
  if (!finite(own) || !finite(its)) return std::nullopt;
  std::vector<double> absolute, relative;
  DrawnDifference result;
  for (std::size_t d = 0; d < own.size(); ++d) {
    absolute.push_back(own[d] - its[d]);
    if (its[d] != 0) relative.push_back(absolute.back() / std::abs(its[d]));
    result.lower_in += absolute.back() < 0 ? 1 / static_cast<double>(own.size()) : 0;
  }
  result.absolute = *prediction_interval(absolute);
  if (relative.size() == own.size()) result.relative = prediction_interval(relative);
  result.verdict = verdict_of(result.absolute, absolute);
  if (absolute.size() >= kFewDraws) result.shares = variance_shares(normals, absolute);
  return result;
}

void judge(CompareDraws& drawn, std::size_t figures, std::size_t reference) {
  for (DrawnArm& arm : drawn.arms) {
    for (std::size_t f = 0; f < figures; ++f) {
      arm.levels.push_back(finite(arm.values[f]) ? prediction_interval(arm.values[f]) : std::nullopt);
      arm.differences.push_back(difference(arm.values[f], drawn.arms[reference].values[f], drawn.normals));
    }
  }
}

}  // namespace

std::optional<CompareDraws> draw_arms(const scenario::Arms& arms, const Comparison& comparison, std::size_t draws, const CompareOptions& options) {
  JOULECAST_CHECK(draws >= 2 && comparison.arms.size() == arms.arms.size(), "at least two draws of the comparison's own arms");
  const bool all_held = std::all_of(comparison.arms.begin(), comparison.arms.end(), [](const ComparedArm& arm) { return arm.result.has_value(); });
  if (!all_held) return std::nullopt;
  CompareDraws drawn;
  drawn.asked = draws;
  std::vector<std::vector<scenario::ErrorSource>> sources;
  for (std::size_t a = 0; a < arms.arms.size(); ++a) {
    sources.push_back(scenario::error_sources(arms.arms[a].scenario, comparison.arms[a].result->energy));
    for (const scenario::ErrorSource& source : sources.back()) {
      const bool known = std::any_of(drawn.sources.begin(), drawn.sources.end(), [&](const auto& each) { return each.name == source.name; });
      if (!known) drawn.sources.push_back(source);
    }
  }
  const std::uint64_t seed = arms.arms.front().scenario.seed;
  Rows rows(draws);
  for (auto& row : rows) row.resize(arms.arms.size());
  std::mutex mutex;
  std::size_t done = 0;
  in_parallel(options.threads, draws * arms.arms.size(), [&](std::size_t i) {
    if (options.stop != nullptr && options.stop->load()) return;
    const std::size_t d = i / arms.arms.size(), a = i % arms.arms.size();
    const scenario::Scenario moved = scenario::perturbed(arms.arms[a].scenario, sources[a], drawn_normals(seed, sources[a], d));
    const auto run = run_arm(moved, arms.compare, options.stop);
    if (!run) return;
    rows[d][a] = lined_up(*run, comparison.figures);
    const std::lock_guard lock(mutex);
    if (options.progress) options.progress(++done, draws * arms.arms.size());
  });
  drawn.arms.resize(arms.arms.size());
  for (DrawnArm& arm : drawn.arms) arm.values.resize(comparison.figures.size());
  for (std::size_t d = 0; d < draws; ++d) {
    if (!std::all_of(rows[d].begin(), rows[d].end(), [](const auto& row) { return row.has_value(); })) continue;
    drawn.numbers.push_back(d);
    drawn.normals.push_back(drawn_normals(seed, drawn.sources, d));
    for (std::size_t a = 0; a < drawn.arms.size(); ++a) {
      for (std::size_t f = 0; f < comparison.figures.size(); ++f) drawn.arms[a].values[f].push_back((*rows[d][a])[f]);
    }
  }
  drawn.partial = drawn.numbers.size() < draws;
  if (drawn.partial && drawn.numbers.size() < kLeastDraws) return std::nullopt;
  judge(drawn, comparison.figures.size(), comparison.reference);
  return drawn;
}

}  // namespace joulecast::study
