#pragma once

#include "policy/clocks/kernel_set.hpp"
#include "training/clock_planner.hpp"

namespace joulecast::policy {

struct KernelDvfsOptions {
  enum class Goal : unsigned char {
    local,   ///< every kernel within the tolerance of its own time
    global,  ///< all kernels together within it
    edp,     ///< least energy-delay product
  };
  Goal goal = Goal::global;
  double tolerance = 0;  ///< 0.01: 1 % slower; not for `edp`
};

/// `kernel_dvfs` on the operations of an iteration: what a stage runs stands for the kernels of Spaan et al. (arXiv 2601.08539), one clock for each
/// kind of operation, stage by stage, knapsacks solved exactly (`plan_global`). Where the sum of times of each stage is kept but the pipeline's
/// makespan is not, as stages that wait for each other make possible, the plan is the local one, which never is slower. Kernels below operations are
/// planned by `plan_global` and `plan_with_switches` themselves.
class KernelDvfs final : public training::ClockPlanner {
 public:
  explicit KernelDvfs(KernelDvfsOptions options) : options_(options) {}
  training::PlanResult plan(const training::Iteration& iteration, FixedTime deadline) const override;

 private:
  KernelDvfsOptions options_;
};

}  // namespace joulecast::policy
