#include "validation/perseus.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <utility>

#include "policy/clocks/effective_cost.hpp"
#include "policy/clocks/envpipe.hpp"
#include "policy/clocks/pipeline_slack.hpp"
#include "traces/power/stage_profile.hpp"
#include "training/replay.hpp"
#include "training/schedule.hpp"
#include "training/stage_profile_costs.hpp"

namespace joulecast::validation {
namespace {

/// Figures known of one emulation, in percent of the energy at highest clocks.
struct Known {
  int microbatches;
  double seconds, joules, bound, envpipe;
};
/// Bounds by an independent dual simplex; EnvPipe from the artifact's envpipe_result.csv.
constexpr Known kA100[] = {{12, 28.365108, 587119.783, 16.0591, 14.22},
                           {24, 46.712134, 1120613.177, 14.8582, 13.54},
                           {48, 83.406187, 2187599.966, 14.1749, 13.17},
                           {96, 156.794293, 4321573.544, 13.8206, 12.98}};
constexpr Known kA40[] = {{12, 75.463497, 1005856.510, 12.6485, 11.13},
                          {24, 123.657826, 1888883.963, 11.2867, 9.88},
                          {48, 220.046485, 3654938.870, 10.5371, 9.19},
                          {96, 412.823803, 7187048.683, 10.1431, 8.82}};
constexpr const char* kSource = "Perseus SOSP 2024 artifact profiles, gpt3-175b; bound by linear program";

double saving(double joules, double base) { return 100 * (1 - joules / base); }

Comparison emulation(const PerseusSetup& setup, const Known& known) {
  const std::string prefix = fmt::format("training.perseus.gpt3-175b-{}-mb{}.", setup.gpu, known.microbatches);
  std::vector<Entry> entries = {{prefix + "base_s", "all-max-clock iteration", kSource, known.seconds, "s", "1e-6", Kind::exact},
                                {prefix + "base_j", "all-max-clock energy, blocking included", kSource, known.joules, "J", "1e-6", Kind::exact},
                                {prefix + "saving", "saving at the all-max deadline, replayed; never above the bound", kSource, known.bound, "%",
                                 setup.gpu == "a100" ? "-0.3 +0 points" : "-1.1 +0 points", Kind::exact},
                                {prefix + "bound", "the linear program's optimum", kSource, known.bound, "%", "0.0001 points", Kind::derived},
                                {prefix + "envpipe", "EnvPipe's saving at the all-max deadline, replayed",
                                 "Perseus SOSP 2024 artifact, envpipe_result.csv", known.envpipe, "%", "2 points", Kind::derived}};
  return {std::move(entries), [setup, known](const Sources& sources) -> std::optional<std::vector<Ours>> {
            const auto iteration = perseus_iteration(sources, setup, known.microbatches);
            if (!iteration) return std::nullopt;
            const training::Replay base = training::replay(*iteration, {});
            const double joules = base.total().units();
            const training::PlanResult slack = policy::PipelineSlack().plan(*iteration, base.makespan);
            const training::PlanResult envpipe = policy::EnvPipe().plan(*iteration, base.makespan);
            return std::vector<Ours>{{base.makespan.units()},
                                     {joules},
                                     {saving(training::replay(*iteration, slack.plan).total().units(), joules)},
                                     {saving(slack.bound_joules.value(), joules)},
                                     {saving(training::replay(*iteration, envpipe.plan).total().units(), joules)}};
          }};
}

/// What is left to the bound where more time is given, by the job's own deadline or by a straggler's.
Comparison relaxed(const PerseusSetup& setup, int microbatches, double factor, double tolerance) {
  const std::string name = fmt::format("training.perseus.gpt3-175b-{}-mb{}.", setup.gpu, microbatches);
  std::vector<Entry> entries = {{fmt::format("{}relaxed_{:g}.gap", name, factor), "saving below the bound, deadline relaxed", kSource, 0, "%",
                                 fmt::format("-0 +{:g} points", tolerance), Kind::derived},
                                {fmt::format("{}straggler_{:g}.gap", name, factor), "saving below the bound, waiting for a straggler", kSource, 0,
                                 "%", "-0 +0.15 points", Kind::derived}};
  return {std::move(entries), [setup, microbatches, factor](const Sources& sources) -> std::optional<std::vector<Ours>> {
            const auto iteration = perseus_iteration(sources, setup, microbatches);
            if (!iteration) return std::nullopt;
            const training::Replay base = training::replay(*iteration, {});
            const FixedTime until = policy::deadline_of(*iteration, policy::DeadlineFrom::highest_clocks, factor);
            const training::PlanResult plan = policy::PipelineSlack().plan(*iteration, until);
            const double gap = training::replay(*iteration, plan.plan).total().units() - plan.bound_joules.value();
            const training::PlanResult waiting = policy::PipelineSlack().plan_for_straggler(*iteration, until);
            const double waiting_gap = training::replay(*iteration, waiting.plan, until).total().units() - waiting.bound_joules.value();
            const double waiting_base = training::replay(*iteration, {}, until).total().units();
            return std::vector<Ours>{{100 * gap / base.total().units()}, {100 * waiting_gap / waiting_base}};
          }};
}

}  // namespace

const std::vector<PerseusSetup>& perseus_setups() {
  static const std::vector<PerseusSetup> setups = {{"a100", "gpt3-175b+a100_sxm_bf16.csv", 83.64}, {"a40", "gpt3-175b+a40_bf16.csv", 70.38}};
  return setups;
}

std::optional<training::Iteration> perseus_iteration(const Sources& sources, const PerseusSetup& setup, int microbatches) {
  const std::string file = sources.data + "/training/perseus/" + setup.profile;
  if (sources.data.empty() || !std::filesystem::exists(file)) return std::nullopt;
  const traces::StageProfile profile = traces::read_stage_profile(traces::TextLines(file));
  training::StageProfileScale scale;
  scale.time = 10;
  scale.gpus = 8;
  scale.blocking_per_gpu = Watts(setup.blocking_watts);
  const training::IterationParts parts = training::costs_of(profile, scale);
  const auto stages = static_cast<std::int32_t>(profile.stages.size());
  return training::build_iteration(training::make_schedule(training::ScheduleKind::one_f_one_b, {stages, microbatches, 1}), parts);
}

std::vector<Comparison> perseus_emulations() {
  std::vector<Comparison> all;
  for (const PerseusSetup& setup : perseus_setups()) {
    for (const Known& known : setup.gpu == "a100" ? kA100 : kA40) all.push_back(emulation(setup, known));
    if (setup.gpu != "a100") continue;
    for (const auto& [factor, tolerance] : {std::pair{1.05, 0.6}, {1.1, 0.15}, {1.2, 0.15}}) all.push_back(relaxed(setup, 12, factor, tolerance));
  }
  return all;
}

}  // namespace joulecast::validation
