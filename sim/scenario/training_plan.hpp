#pragma once

#include <optional>
#include <vector>

#include "scenario/scenario.hpp"
#include "scenario/training_result.hpp"
#include "training/folding.hpp"
#include "training/iteration.hpp"

namespace joulecast::scenario {

/// A job ready to run: its replicas in classes, the plan of each, and what is known of the plans.
struct JobPlan {
  training::Iteration iteration;
  std::vector<training::Plan> plans;  ///< as charged; class c runs plans[c.plan]
  std::vector<training::ReplicaClass> classes;
  std::optional<ClockPlanFigures> figures;
};

/// Folds identical replicas and plans their clocks. Where some replicas are slow, these run at their highest clocks, and the sound ones are planned
/// to end with the slowest (You et al., SOSP 2024, section 3.2).
JobPlan plan_job(const Scenario& scenario, const TrainingJob& job);

/// One iteration of all classes.
IterationFigures iteration_figures(const training::Iteration& iteration, const std::vector<training::Plan>& plans,
                                   const std::vector<training::ReplicaClass>& classes);

}  // namespace joulecast::scenario
