#pragma once

#include <span>
#include <vector>

#include "policy/clocks/kernel_dvfs.hpp"

namespace joulecast::policy {

/// Kernel-level DVFS that pays for its clock changes: least energy with (1 + tolerance) of the baseline's time, each change of setting charged with
/// its latency in time and its waiting in energy. The time limit is taken into the sum at a price (Lagrange); at a price, the best plan is a shortest
/// path (`SwitchPath`). The price is found by lines (Fisher 1981); the plan returned is the best within the limit among those met on the way, the
/// best single setting, the knapsack's, and what changes of runs of neighbouring kernels to one setting make of them (`KernelRuns`). `bound_joules`
/// is the Lagrange bound: no plan with this latency takes less. At latency 0 the plan is the knapsack's, which is exact.
KernelResult plan_with_switches(const KernelSet& set, double tolerance, const SwitchCost& cost);

/// The same for several latencies. A plan found for one stands for all others that it is within the limit of, so the energy never falls as latency
/// rises.
std::vector<KernelResult> plan_with_switches(const KernelSet& set, double tolerance, std::span<const Seconds> latencies, Watts waiting);

}  // namespace joulecast::policy
