#pragma once

#include <optional>

#include "policy/clocks/kernel_set.hpp"

namespace joulecast::policy {

/// Kernel-level DVFS without switch latency (Spaan, Chen, Varbanescu: arXiv 2601.08539): a pair of memory and core clocks for each kernel.
struct KernelResult {
  KernelPlan plan;
  KernelTotals totals;                 ///< free switching
  double time_change = 0;              ///< of the baseline: 0.01 is 1 % slower
  double energy_change = 0;            ///< -0.1 is 10 % less
  std::optional<double> bound_joules;  ///< no plan within the same time takes less, where that is known
};

/// Every kernel by itself: least energy within (1 + tolerance) of its own baseline time.
KernelResult plan_local(const KernelSet& set, double tolerance);
/// All kernels together: least energy with a sum of times within (1 + tolerance) of the baseline's. Exact (`solve_choice_knapsack`).
KernelResult plan_global(const KernelSet& set, double tolerance);
/// Every kernel at its least energy-delay product.
KernelResult plan_local_edp(const KernelSet& set);
/// Least product of the iteration's energy and time. Exact: every plan lies on or above the lower hull of (time, energy), along a side of which the
/// product is concave, so that a corner of the hull has the least.
KernelResult plan_global_edp(const KernelSet& set);
/// One pair for all kernels that have it: least energy within (1 + tolerance) of the baseline's time.
KernelResult plan_single_setting(const KernelSet& set, double tolerance);

/// A plan with its totals and changes against the baseline.
KernelResult measured(const KernelSet& set, KernelPlan plan, const SwitchCost& cost = {});

}  // namespace joulecast::policy
