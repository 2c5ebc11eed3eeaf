#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "training/layout.hpp"
#include "training/replay_account.hpp"

namespace joulecast::scenario {

struct JobPlan;

/// By training::Spent.
using BySpent = std::array<double, training::kSpent>;

/// One iteration of a whole job: all replicas, without jitter.
struct IterationFigures {
  double seconds = 0, joules = 0;
};

/// What a clock policy did, as `clock_plan` of the results. `as_published`: clocks change at once and for nothing; `charged`: a change acts only
/// where it was asked for early enough, as the job runs.
struct ClockPlanFigures {
  std::string policy;
  IterationFigures baseline;  ///< every operation at its highest clock
  IterationFigures as_published, charged;
  std::optional<double> bound_joules;  ///< no plan as fast as `as_published` can take less

  static double saving(const IterationFigures& plan, const IterationFigures& baseline) { return 1 - plan.joules / baseline.joules; }
  static double slowdown(const IterationFigures& plan, const IterationFigures& baseline) { return plan.seconds / baseline.seconds - 1; }
  /// Joules of the plan as published above the bound, over the baseline's.
  std::optional<double> gap() const;
};

/// What the GPUs of one stage do in a mean iteration: seconds of one GPU, joules of all replicas' stages.
struct StageResult {
  BySpent time_by_kind_s{}, energy_by_kind_joules{};
};

/// A job's iterations that ended; means over them.
struct TrainingResult {
  std::string name, model, gpu, node, schedule, clock;
  std::string watts_source;
  int gpus = 0;
  training::Layout layout;
  std::int64_t iterations = 0, train_iters = 0;
  double iteration_s = 0, iteration_joules = 0;  ///< joules of the GPUs
  double tokens_per_s = 0;
  std::optional<double> mfu, hfu;   ///< model and hardware FLOPs over the GPUs' peak; absent without a model
  BySpent time_by_kind_s{};         ///< of a mean GPU: adds up to iteration_s
  BySpent energy_by_kind_joules{};  ///< adds up to iteration_joules
  std::vector<StageResult> stages;
  std::optional<ClockPlanFigures> clock_plan;
  std::shared_ptr<const JobPlan> plan;  ///< what was run
};

}  // namespace joulecast::scenario
