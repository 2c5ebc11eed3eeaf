#pragma once

#include "training/clock_planner.hpp"

namespace joulecast::policy {

/// EnvPipe (Choi et al.: "EnvPipe: Performance-preserving DNN Training Framework for Saving Energy", USENIX ATC 2023): the outer envelope - the last
/// stage, the forward passes of the first microbatch and the backward passes of the last - runs at its highest clock. All other passes begin at their
/// clock of least energy; while the makespan is beyond the deadline, those of them on the longest path go up by one clock (section 4.3). It knows
/// nothing of imbalance between stages and plans without blocking power. No bound.
class EnvPipe final : public training::ClockPlanner {
 public:
  training::PlanResult plan(const training::Iteration& iteration, FixedTime deadline) const override;
};

}  // namespace joulecast::policy
