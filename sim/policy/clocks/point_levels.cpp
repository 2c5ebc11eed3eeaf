#include "policy/clocks/point_levels.hpp"

#include <algorithm>
#include <limits>

#include "base/error.hpp"

namespace joulecast::policy {

PointLevels::PointLevels(const OperationTimes& times, const EffectiveCosts& costs, FixedTime deadline)
    : times_(times),
      costs_(costs),
      deadline_(deadline),
      kind_times_(costs.kinds.size()),
      kind_hulls_(costs.kinds.size()),
      level_(times.operations()),
      duration_(times.operations()) {
  for (std::size_t kind = 0; kind < costs.kinds.size(); ++kind) {
    const EffectiveCost& cost = costs.kinds[kind];
    auto on_hull = cost.hull.begin();
    for (std::size_t level = 0; level < cost.best.size() && on_hull != cost.hull.end(); ++level) {
      if (cost.best[level].point != on_hull->point) continue;
      kind_hulls_[kind].push_back(level);
      ++on_hull;
    }
  }
  for (std::size_t i = 0; i < operations(); ++i) {
    auto& known = kind_times_[static_cast<std::size_t>(costs.of_operation[i])];
    if (known.empty()) {
      const auto& points = times.iteration().costs[static_cast<std::size_t>(times.iteration().operations[i].kind)];
      for (const EffectivePoint& point : costs.of(i).best) known.push_back(points[static_cast<std::size_t>(point.point)].time);
    }
    set(i, 0);
  }
}

std::size_t PointLevels::slowest_within(std::size_t i, FixedTime longest) const {
  const std::vector<FixedTime>& known = all(i);
  const auto beyond = std::upper_bound(known.begin(), known.end(), longest);
  return beyond == known.begin() ? 0 : static_cast<std::size_t>(beyond - known.begin()) - 1;
}

void PointLevels::set(std::size_t i, std::size_t level) {
  level_[i] = level;
  duration_[i] = all(i)[level];
}

void PointLevels::undo(const Journal& journal) {
  for (auto change = journal.rbegin(); change != journal.rend(); ++change) set(change->first, change->second);
}

FixedTime PointLevels::makespan() { return times_.earliest_ends(duration_, ends_); }

void PointLevels::find_room() {
  times_.earliest_ends(duration_, ends_);
  times_.latest_ends(duration_, deadline_, latest_);
  ++passes_;
}

void PointLevels::use_slack(Journal* journal) {
  for (;;) {
    find_room();
    double most = 0;
    std::size_t chosen = 0, to = 0;
    for (std::size_t i = 0; i < operations(); ++i) {
      const FixedTime longest = duration_[i] + latest_[i] - ends_[i];
      if (level_[i] + 1 >= all(i).size() || longest < all(i)[level_[i] + 1]) continue;
      const std::size_t level = slowest_within(i, longest);
      const double saved = cost(i, level_[i]) - cost(i, level);
      if (saved <= most) continue;
      most = saved;
      chosen = i;
      to = level;
    }
    if (most <= 0) return;
    if (journal != nullptr) journal->emplace_back(chosen, level_[chosen]);
    set(chosen, to);
  }
}

void PointLevels::keep_deadline(Journal* journal) {
  for (;;) {
    find_room();
    FixedTime worst;
    for (std::size_t i = 0; i < operations(); ++i) worst = std::min(worst, latest_[i] - ends_[i]);
    if (worst >= FixedTime{}) return;
    const double missing = -worst.units();
    double least = std::numeric_limits<double>::infinity();
    std::size_t chosen = operations(), to = 0;
    for (std::size_t i = 0; i < operations(); ++i) {
      if (latest_[i] - ends_[i] > worst) continue;
      for (std::size_t level = level_[i]; level-- > 0;) {
        const double won = (duration_[i] - all(i)[level]).units();
        const double price = (cost(i, level) - cost(i, level_[i])) / std::min(missing, won);
        if (price < least) {
          least = price;
          chosen = i;
          to = level;
        }
        if (won >= missing) break;
      }
    }
    JOULECAST_CHECK(chosen < operations(), "a deadline below the shortest makespan");
    if (journal != nullptr) journal->emplace_back(chosen, level_[chosen]);
    set(chosen, to);
  }
}

double PointLevels::joules() const {
  double sum = 0;
  for (std::size_t i = 0; i < operations(); ++i) sum += cost(i, level_[i]);
  return sum;
}

training::Plan PointLevels::plan() const {
  training::Plan plan;
  for (std::size_t i = 0; i < operations(); ++i) plan.push_back(costs_.of(i).best[level_[i]].point);
  return plan;
}

}  // namespace joulecast::policy
