#include "scenario/training_plan.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "policy/clock_registry.hpp"
#include "policy/clocks/switch_charge.hpp"
#include "scenario/training_costs.hpp"
#include "training/job_fleet.hpp"
#include "training/replay.hpp"

namespace joulecast::scenario {

namespace {

/// Joules of an iteration, of all replicas and of the slow ones among them.
class Sum final : public training::LaneSink {
 public:
  explicit Sum(const training::Fleet& fleet) : fleet_(fleet) {}
  void work(std::size_t lane, const training::Operation&, FixedTime, const training::OperatingPoint& point) override { add(lane, point.energy); }
  void wait(std::size_t lane, training::Spent, FixedTime, FixedTime, FixedEnergy energy) override { add(lane, energy); }
  double all() const { return all_.units(); }
  double slow() const { return slow_.units(); }

 private:
  void add(std::size_t lane, FixedEnergy one) {
    const FixedEnergy joules = fleet_.multiplicity(lane) * one;
    all_ += joules;
    if (!fleet_.classes()[lane / fleet_.stages()].sound()) slow_ += joules;
  }

  const training::Fleet& fleet_;
  FixedEnergy all_, slow_;
};

struct Carried {
  FixedTime makespan;
  double joules = 0, slow_joules = 0;
};

Carried carry_out(const training::Iteration& iteration, const std::vector<training::Plan>& plans,
                  const std::vector<training::ReplicaClass>& classes) {
  training::Fleet fleet(iteration, plans, classes, 0, 0, "");
  fleet.advance();
  Sum sum(fleet);
  fleet.tell(sum, fleet.makespan());
  return {fleet.makespan(), sum.all(), sum.slow()};
}

/// Replicas synchronise their gradients together, once the slowest has come: what a sound one has in hand is before that, not in it.
void keep_synchronisation_fast(const training::Iteration& iteration, training::Plan& plan) {
  for (std::size_t i = 0; i < plan.size(); ++i) {
    const training::Pass pass = iteration.operations[i].pass;
    if (pass == training::Pass::gradient_sync || pass == training::Pass::optimizer) plan[i] = 0;
  }
}

/// What the slow replicas' optimizers take longer: gradients are synchronised so much before the end of the sound ones.
FixedTime slow_optimizers(const training::Iteration& iteration, const std::vector<training::ReplicaClass>& classes) {
  FixedTime longest;
  for (const training::Operation& operation : iteration.operations) {
    if (operation.pass != training::Pass::optimizer) continue;
    const FixedTime time = iteration.costs[static_cast<std::size_t>(operation.kind)].front().time;
    for (const training::ReplicaClass& each : classes) {
      longest = std::max(longest, training::Stretching::of(each.slowdown[static_cast<std::size_t>(operation.stage)])(time) - time);
    }
  }
  return longest;
}

double blocking_watts(const training::Iteration& iteration) {
  double watts = 0;
  for (const Watts each : iteration.blocking) watts += each.si();
  return watts;
}

std::vector<training::ReplicaClass> with_plan(std::vector<training::ReplicaClass> classes, bool all) {
  for (training::ReplicaClass& each : classes) each.plan = all || each.sound() ? 1 : 0;
  return classes;
}

}  // namespace

std::optional<double> ClockPlanFigures::gap() const {
  if (!bound_joules) return std::nullopt;
  return (as_published.joules - *bound_joules) / baseline.joules;
}

IterationFigures iteration_figures(const training::Iteration& iteration, const std::vector<training::Plan>& plans,
                                   const std::vector<training::ReplicaClass>& classes) {
  const Carried carried = carry_out(iteration, plans, classes);
  return {carried.makespan.units(), carried.joules};
}

JobPlan plan_job(const Scenario& scenario, const TrainingJob& job) {
  JobPlan plan;
  plan.iteration = job_iteration(scenario, job, !job.clock_policy.empty());
  const auto slowdown = job.slowdown();
  plan.classes = training::fold(slowdown, job.jitter > 0);
  plan.plans = {{}};
  if (job.clock_policy.empty()) return plan;

  config::Diagnostics diagnostics;
  const policy::ClockPolicy* registered = policy::find_clock_policy(job.clock_policy);
  JOULECAST_CHECK(registered != nullptr, "a checked scenario names a registered policy");
  const auto planner = registered->make(&job.clock_policy_parameters, diagnostics);
  const std::vector<training::ReplicaClass> classes = training::fold(slowdown, false);
  ClockPlanFigures figures;
  figures.policy = job.clock_policy;
  const Carried baseline = carry_out(plan.iteration, {{}}, classes);
  figures.baseline = {baseline.makespan.units(), baseline.joules};
  // Where no replica is sound there is nobody to wait: all are planned as if they were.
  std::int64_t sound = 0;
  for (const training::ReplicaClass& each : classes) sound += each.sound() ? each.multiplicity() : 0;
  const bool all = sound == job.layout.data || sound == 0;
  const std::optional<FixedTime> until = all ? std::nullopt : std::optional(baseline.makespan - slow_optimizers(plan.iteration, classes));
  training::PlanResult made =
      until ? planner->plan_for_straggler(plan.iteration, *until) : planner->plan(plan.iteration, training::replay(plan.iteration, {}).makespan);
  if (made.bound_joules && sound > 0) {
    const double waits = until ? blocking_watts(plan.iteration) * (baseline.makespan - *until).units() : 0;
    figures.bound_joules = static_cast<double>(sound) * (*made.bound_joules + waits) + baseline.slow_joules;
  }
  if (until) keep_synchronisation_fast(plan.iteration, made.plan);
  policy::ChargeOptions options;
  options.latency = FixedTime::from_units(scenario.clusters[job.cluster].gpu.switch_latency.value.si());
  options.until = until;
  const policy::Charged charged = policy::charge_switches(plan.iteration, made.plan, options);
  figures.as_published = iteration_figures(plan.iteration, {{}, made.plan}, with_plan(classes, all));
  figures.charged = iteration_figures(plan.iteration, {{}, charged.achieved}, with_plan(classes, all));
  plan.plans = {{}, charged.achieved};
  plan.classes = with_plan(std::move(plan.classes), all);
  plan.figures = figures;
  return plan;
}

}  // namespace joulecast::scenario
