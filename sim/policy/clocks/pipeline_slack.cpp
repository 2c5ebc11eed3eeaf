#include "policy/clocks/pipeline_slack.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "policy/clocks/slack_rounding.hpp"
#include "policy/clocks/slack_search.hpp"
#include "training/replay.hpp"

namespace joulecast::policy {

FixedTime deadline_of(const training::Iteration& iteration, DeadlineFrom from, double factor) {
  const training::Plan plan = from == DeadlineFrom::highest_clocks ? training::Plan{} : fastest_plan(iteration);
  const FixedTime makespan = training::replay(iteration, plan).makespan;
  // 1 exactly: not a unit of fixed-point time may be lost.
  return factor == 1 ? makespan : FixedTime::from_units(factor * makespan.units());
}

namespace {

/// Enough for every plan of a graph of some ten operations.
constexpr long kSearchNodes = 300'000;

training::PlanResult make_plan(const training::Iteration& iteration, FixedTime deadline, Waiting waiting) {
  const OperationTimes times(iteration);
  const EffectiveCosts costs = effective_costs(iteration);
  SlackProgram program(times, costs, waiting);
  const auto relaxed = program.solve(deadline);
  if (!relaxed) return {fastest_plan(iteration), std::nullopt};
  const FixedTime kept = std::max(deadline, program.shortest());
  const FixedTime target = std::clamp(FixedTime::from_units(relaxed->makespan * (1 + 1e-12)), program.shortest(), kept);
  training::Plan plan = round_to_points(times, costs, *relaxed, waiting == Waiting::ends_with_the_iteration ? target : kept, exchange_passes(times));
  plan = search_plans(times, costs, *relaxed, waiting, kept, std::move(plan), kSearchNodes);
  return {std::move(plan), relaxed->bound_joules};
}

}  // namespace

training::PlanResult PipelineSlack::plan(const training::Iteration& iteration, FixedTime given) const {
  FixedTime deadline = given;
  if (options_.deadline_from == DeadlineFrom::shortest_points) {
    deadline = deadline_of(iteration, options_.deadline_from, options_.max_slowdown_factor);
  } else if (options_.max_slowdown_factor != 1) {
    deadline = FixedTime::from_units(options_.max_slowdown_factor * given.units());
  }
  training::PlanResult result = make_plan(iteration, deadline, Waiting::ends_with_the_iteration);
  // The bound is worked out in doubles: on small graphs, where rounding loses nothing, it may come out above by their last places.
  if (result.bound_joules) *result.bound_joules = std::min(*result.bound_joules, training::replay(iteration, result.plan).total().units());
  return result;
}

training::PlanResult PipelineSlack::plan_for_straggler(const training::Iteration& iteration, FixedTime until) const {
  training::PlanResult result = make_plan(iteration, until, Waiting::ends_with_a_straggler);
  if (result.bound_joules) {
    const double joules = training::replay(iteration, result.plan, until).total().units();
    result.bound_joules = std::min(*result.bound_joules + blocking_power(iteration).si() * until.units(), joules);
  }
  return result;
}

}  // namespace joulecast::policy
