#pragma once

#include <optional>
#include <string>

#include "training/iteration.hpp"

namespace joulecast::training {

/// A plan with what is known of the best there could be.
struct PlanResult {
  Plan plan;
  std::optional<double> bound_joules;  ///< no plan within the deadline can take less, blocking included; absent where the planner knows none
};

/// Chooses clocks for an iteration's operations: `[training.NAME] sm_clock`. Makes plans from operating points alone, never from the simulator's state.
class ClockPlanner {
 public:
  virtual ~ClockPlanner() = default;
  /// The replayed makespan of the plan is at most `deadline` wherever any plan's is.
  virtual PlanResult plan(const Iteration& iteration, FixedTime deadline) const = 0;
  /// A peer of the pipeline ends at `until`, a straggler, and all stages wait for it at blocking watts whatever the plan: that wait is in the bound.
  virtual PlanResult plan_for_straggler(const Iteration& iteration, FixedTime until) const { return plan(iteration, until); }
};

}  // namespace joulecast::training
