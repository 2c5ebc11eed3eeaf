#include "report/summary_training.hpp"

#include <nlohmann/json.hpp>
#include <string>

#include "report/totals.hpp"

namespace joulecast::report {

namespace {

using Json = nlohmann::ordered_json;

/// Kinds that took nothing are left out.
Json by_kind(const scenario::BySpent& values) {
  Json object = Json::object();
  for (std::size_t i = 0; i < training::kSpent; ++i) {
    if (values[i] != 0) object[std::string(training::name(static_cast<training::Spent>(i)))] = values[i];
  }
  return object;
}

Json figures(const scenario::IterationFigures& of) { return {{"iteration_s", of.seconds}, {"iteration_joules", of.joules}}; }

Json against(const scenario::IterationFigures& of, const scenario::IterationFigures& baseline) {
  Json object = figures(of);
  object["saving"] = scenario::ClockPlanFigures::saving(of, baseline);
  object["slowdown"] = scenario::ClockPlanFigures::slowdown(of, baseline);
  return object;
}

Json clock_plan(const scenario::ClockPlanFigures& plan) {
  Json object = Json::object();
  object["policy"] = plan.policy;
  object["baseline"] = figures(plan.baseline);
  object["as_published"] = against(plan.as_published, plan.baseline);
  object["charged"] = against(plan.charged, plan.baseline);
  if (plan.bound_joules) {
    object["bound_joules"] = *plan.bound_joules;
    object["gap"] = *plan.gap();
  }
  return object;
}

Json job(const scenario::Result& result, const scenario::TrainingResult& job) {
  Json object = Json::object();
  object["gpus"] = job.gpus;
  object["iterations"] = job.iterations;
  object["train_iters"] = job.train_iters;
  if (job.iterations > 0) {
    object["iteration_s"] = job.iteration_s;
    object["iteration_joules"] = job.iteration_joules;
    object["tokens_per_s"] = job.tokens_per_s;
    if (job.mfu) object["mfu"] = *job.mfu;
    if (job.hfu) object["hfu"] = *job.hfu;
    object["time_by_kind_s"] = by_kind(job.time_by_kind_s);
    object["energy_by_kind_joules"] = by_kind(job.energy_by_kind_joules);
    Json stages = Json::object();
    for (std::size_t s = 0; s < job.stages.size(); ++s) {
      stages[std::to_string(s)] = {{"time_by_kind_s", by_kind(job.stages[s].time_by_kind_s)},
                                   {"energy_by_kind_joules", by_kind(job.stages[s].energy_by_kind_joules)}};
    }
    if (job.stages.size() > 1) object["stage"] = std::move(stages);
  }
  if (job.clock_plan) object["clock_plan"] = clock_plan(*job.clock_plan);
  if (const auto* account = account_of(result, job.name)) {
    Json energy = Json::object();
    for (std::size_t b = 0; b < metering::kBoundaries; ++b) {
      energy[std::string(metering::name(static_cast<metering::Boundary>(b)))] = account->joules[b];
    }
    object["energy_joules"] = std::move(energy);
  }
  return object;
}

}  // namespace

Json training_summary(const scenario::Result& result) {
  Json jobs = Json::object();
  for (const scenario::TrainingResult& each : result.jobs) jobs[each.name] = job(result, each);
  return jobs;
}

}  // namespace joulecast::report
