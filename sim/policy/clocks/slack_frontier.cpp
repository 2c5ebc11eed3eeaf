#include "policy/clocks/slack_frontier.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "policy/clocks/slack_rounding.hpp"
#include "training/replay.hpp"

namespace joulecast::policy {
namespace {

/// The makespan with every operation at its point of least effective cost.
FixedTime longest_useful(const OperationTimes& times, const EffectiveCosts& costs) {
  training::Plan plan;
  for (std::size_t i = 0; i < times.operations(); ++i) plan.push_back(costs.of(i).best.back().point);
  return training::replay(times.iteration(), plan).makespan;
}

SlackProgram::Relaxed mixture(const SlackProgram::Relaxed& a, const SlackProgram::Relaxed& b, double share) {
  const auto mix = [share](const std::vector<double>& x, const std::vector<double>& y) {
    std::vector<double> both(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) both[i] = x[i] + share * (y[i] - x[i]);
    return both;
  };
  return {mix(a.start, b.start), mix(a.duration, b.duration), mix(a.price, b.price), a.makespan + share * (b.makespan - a.makespan),
          a.bound_joules + share * (b.bound_joules - a.bound_joules)};
}

/// Beside one plan for one deadline: a plan among many may cost a third of the exchanges.
constexpr long kShareOfExchanges = 3;

}  // namespace

SlackFrontier::SlackFrontier(training::Iteration iteration, FixedTime shortest, int points, std::optional<FixedTime> longest)
    : iteration_(std::move(iteration)) {
  JOULECAST_CHECK(points >= 2, "a frontier of fewer than two points");
  const OperationTimes times(iteration_);
  const EffectiveCosts costs = effective_costs(iteration_);
  SlackProgram program(times, costs, Waiting::ends_with_a_straggler);
  const FixedTime first = std::max(shortest, program.shortest());
  const FixedTime last = std::max(first, longest ? *longest : longest_useful(times, costs));
  for (int i = 0; i < points; ++i) {
    // Quadratic: whole numbers, so that the last deadline is T* to the bit.
    const int128 square = static_cast<int128>(i) * i, whole = static_cast<int128>(points - 1) * (points - 1);
    const FixedTime deadline{first.raw + (last - first).raw * square / whole};
    auto relaxed = program.solve(deadline);
    JOULECAST_CHECK(relaxed, "no plan for a deadline that the shortest points keep");
    FrontierPoint point;
    point.deadline = deadline;
    point.plan = round_to_points(times, costs, *relaxed, deadline, exchange_passes(times) / kShareOfExchanges);
    const training::Replay replay = training::replay(iteration_, point.plan);
    point.makespan = replay.makespan;
    point.joules = replay.total().units();
    point.bound_joules = relaxed->bound_joules + blocking_power(iteration_).si() * deadline.units();
    point.relaxed = *std::move(relaxed);
    points_.push_back(std::move(point));
  }
}

const FrontierPoint* SlackFrontier::within(FixedTime deadline) const {
  const FrontierPoint* best = nullptr;
  for (const FrontierPoint& point : points_) {
    if (point.makespan <= deadline && (best == nullptr || point.joules < best->joules)) best = &point;
  }
  return best;
}

training::Plan SlackFrontier::for_straggler(FixedTime until) const {
  const FixedTime first = points_.front().deadline;
  if (until.units() < first.units() * (1 - 1e-12)) return fastest_plan(iteration_);
  const FixedTime target = std::clamp(until, first, points_.back().deadline);
  std::size_t after = 1;
  while (after + 1 < points_.size() && points_[after].deadline < target) ++after;
  const FrontierPoint &a = points_[after - 1], &b = points_[after];
  const OperationTimes times(iteration_);
  const EffectiveCosts costs = effective_costs(iteration_);
  const double span = (b.deadline - a.deadline).units();
  const double share = span > 0 ? (target - a.deadline).units() / span : 0;
  return round_to_points(times, costs, mixture(a.relaxed, b.relaxed, share), target, exchange_passes(times));
}

}  // namespace joulecast::policy
