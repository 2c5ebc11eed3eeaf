#include "policy/clocks/pipeline_slack.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "policy/clocks/slack_rounding.hpp"
#include "training/replay.hpp"

namespace joulecast::policy {

FixedTime deadline_of(const training::Iteration& iteration, DeadlineFrom from, double factor) {
  const training::Plan plan = from == DeadlineFrom::highest_clocks ? training::Plan{} : fastest_plan(iteration);
  const FixedTime makespan = training::replay(iteration, plan).makespan;
  // 1 exactly: not a unit of fixed-point time may be lost.
  return factor == 1 ? makespan : FixedTime::from_units(factor * makespan.units());
}

training::PlanResult PipelineSlack::plan(const training::Iteration& iteration, FixedTime given) const {
  FixedTime deadline = given;
  if (options_.deadline_from == DeadlineFrom::shortest_points) {
    deadline = deadline_of(iteration, options_.deadline_from, options_.max_slowdown_factor);
  } else if (options_.max_slowdown_factor != 1) {
    deadline = FixedTime::from_units(options_.max_slowdown_factor * given.units());
  }
  const OperationTimes times(iteration);
  const EffectiveCosts costs = effective_costs(iteration);
  SlackProgram program(times, costs, Waiting::ends_with_the_iteration);
  const auto relaxed = program.solve(deadline);
  if (!relaxed) return {fastest_plan(iteration), std::nullopt};
  const FixedTime target = std::clamp(FixedTime::from_units(relaxed->makespan * (1 + 1e-12)), program.shortest(), deadline);
  training::PlanResult result{round_to_points(times, costs, *relaxed, target, exchange_passes(times)), {}};
  const training::Replay rounded = training::replay(iteration, result.plan);
  // The bound is worked out in doubles: on small graphs, where rounding loses nothing, it may come out above by their last places.
  result.bound_joules = std::min(relaxed->bound_joules, rounded.total().units());
  return result;
}

training::PlanResult PipelineSlack::plan_for_straggler(const training::Iteration& iteration, FixedTime until) const {
  const OperationTimes times(iteration);
  const EffectiveCosts costs = effective_costs(iteration);
  SlackProgram program(times, costs, Waiting::ends_with_a_straggler);
  const auto relaxed = program.solve(until);
  if (!relaxed) return {fastest_plan(iteration), std::nullopt};
  training::PlanResult result{round_to_points(times, costs, *relaxed, until, exchange_passes(times)), {}};
  const training::Replay rounded = training::replay(iteration, result.plan, until);
  result.bound_joules = std::min(relaxed->bound_joules + blocking_power(iteration).si() * until.units(), rounded.total().units());
  return result;
}

}  // namespace joulecast::policy
