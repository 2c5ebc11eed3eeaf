#include "study/frontier.hpp"

#include <fmt/format.h>

#include <charconv>

#include "config/units.hpp"
#include "policy/clocks/pipeline_slack.hpp"
#include "policy/clocks/slack_frontier.hpp"
#include "policy/clocks/slack_program.hpp"
#include "scenario/training_costs.hpp"
#include "scenario/training_plan.hpp"
#include "training/replay.hpp"

namespace joulecast::study {

namespace {

/// All replicas alike.
std::vector<training::ReplicaClass> sound_replicas(const Frontier& frontier) {
  const auto stages = static_cast<std::size_t>(frontier.iteration.stages);
  return training::fold(std::vector<std::vector<double>>(static_cast<std::size_t>(frontier.replicas), std::vector<double>(stages, 1)), false);
}

/// How long an iteration lasts that takes the least joules of all, waiting stages included.
FixedTime least_energy_makespan(const training::Iteration& iteration) {
  const policy::OperationTimes times(iteration);
  const policy::EffectiveCosts costs = policy::effective_costs(iteration);
  training::Plan slowest;
  for (std::size_t i = 0; i < times.operations(); ++i) slowest.push_back(costs.of(i).best.back().point);
  policy::SlackProgram program(times, costs, policy::Waiting::ends_with_the_iteration);
  const auto relaxed = program.solve(training::replay(iteration, slowest).makespan);
  JOULECAST_CHECK(relaxed, "no plan for a deadline that the slowest points keep");
  return FixedTime::from_units(relaxed->makespan);
}

scenario::IterationFigures figures(const Frontier& frontier, const training::Plan& plan) {
  return scenario::iteration_figures(frontier.iteration, {plan}, sound_replicas(frontier));
}

}  // namespace

const scenario::TrainingJob& find_job(const scenario::Scenario& scenario, const std::string& name) {
  std::vector<std::string> names;
  for (const scenario::TrainingJob& job : scenario.jobs) {
    if (job.name == name || (name.empty() && scenario.jobs.size() == 1)) return job;
    names.push_back(job.name);
  }
  if (names.empty()) throw UserError({}, "the scenario has no training job", "add [training.NAME]; `joulecast schema training` shows its keys");
  const std::string list = fmt::format("{}", fmt::join(names, ", "));
  if (name.empty()) throw UserError({}, fmt::format("the scenario has {} training jobs", names.size()), "say which with --job: " + list);
  throw UserError({}, fmt::format("the scenario has no training job \"{}\"", name), "it has " + list);
}

Frontier frontier(const scenario::Scenario& scenario, const scenario::TrainingJob& job, int points) {
  Frontier result;
  result.job = job.name;
  result.iteration = scenario::job_iteration(scenario, job, true);
  result.replicas = job.layout.data;
  bool choice = false;
  for (const auto& kind : result.iteration.costs) choice = choice || kind.size() > 1;
  if (!choice)
    throw UserError(job.place, fmt::format("the operations of job \"{}\" have one clock each", job.name), "give the GPU or the profile several");
  result.highest = figures(result, {});
  const policy::SlackFrontier plans(result.iteration, {}, points, least_energy_makespan(result.iteration));
  for (const policy::FrontierPoint& point : plans.points()) {
    result.rows.push_back(
        {point.deadline.units(), figures(result, point.plan), static_cast<double>(result.replicas) * point.bound_joules, point.plan});
  }
  return result;
}

double deadline_of(const Frontier& frontier, const std::string& text) {
  double factor = 0, seconds = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), factor);
  if (fault == std::errc{} && end == text.data() + text.size()) {
    seconds = factor * frontier.highest.seconds;
  } else {
    config::Diagnostics diagnostics;
    const auto read = config::parse_measured(text, config::Dimension{{0, 1, 0, 0, 0, 0}}, {}, diagnostics, "--at");
    diagnostics.throw_if_failed();
    seconds = read->si;
  }
  const double least = frontier.rows.empty() ? frontier.highest.seconds : frontier.rows.front().figures.seconds;
  if (!(seconds >= least * (1 - 1e-9))) {
    throw UserError({}, fmt::format("--at {}: no plan ends sooner than {:.6g} s", text, least), "give a later deadline, such as \"30 s\" or 1.05");
  }
  return seconds;
}

FrontierRow row_at(const Frontier& frontier, double deadline_s) {
  const training::PlanResult made = policy::PipelineSlack().plan(frontier.iteration, FixedTime::from_units(deadline_s));
  return {deadline_s, figures(frontier, made.plan), static_cast<double>(frontier.replicas) * made.bound_joules.value_or(0), made.plan};
}

}  // namespace joulecast::study
