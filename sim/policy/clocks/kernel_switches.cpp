#include "policy/clocks/kernel_switches.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "policy/clocks/kernel_runs.hpp"
#include "policy/clocks/switch_path.hpp"

namespace joulecast::policy {
namespace {

constexpr double kPathRounding = 1e-12;

struct Limit {
  const KernelSet& set;
  double seconds;

  bool keeps(const KernelTotals& sum) const { return sum.seconds <= seconds * (1 + kPathRounding); }
};

/// Plans met while the price of time is found, and the bound.
struct Priced {
  std::vector<KernelPlan> plans;
  double bound = 0;
};

Priced find_price(const Limit& limit, const SwitchCost& cost) {
  SwitchPath path(limit.set, cost);
  Priced priced;
  SwitchPath::Best free = path.solve(0);
  const KernelTotals cheapest = totals(limit.set, free.plan, cost);
  priced.bound = free.value;
  priced.plans.push_back(free.plan);
  if (limit.keeps(cheapest)) return priced;
  // Two plans span the bound's upper envelope: one beyond the limit, one within (the baseline, which changes nothing).
  KernelTotals beyond = cheapest, within = totals(limit.set, {}, cost);
  constexpr int kMostLines = 100;
  for (int i = 0; i < kMostLines; ++i) {
    const double price = (within.joules - beyond.joules) / (beyond.seconds - within.seconds);
    if (!(price > 0)) break;
    SwitchPath::Best best = path.solve(price);
    priced.bound = std::max(priced.bound, best.value - price * limit.seconds);
    const KernelTotals sum = totals(limit.set, best.plan, cost);
    priced.plans.push_back(std::move(best.plan));
    const double line = beyond.joules + price * beyond.seconds;
    if (sum.joules + price * sum.seconds >= line - kPathRounding * line) break;
    (limit.keeps(sum) ? within : beyond) = sum;
  }
  return priced;
}

/// Of `plans`, the one of least energy within the limit; null where none is.
const KernelPlan* best_of(const Limit& limit, const std::vector<KernelPlan>& plans, const SwitchCost& cost) {
  const KernelPlan* best = nullptr;
  double joules = 0;
  for (const KernelPlan& plan : plans) {
    const KernelTotals sum = totals(limit.set, plan, cost);
    if (!limit.keeps(sum) || (best != nullptr && sum.joules >= joules)) continue;
    best = &plan;
    joules = sum.joules;
  }
  return best;
}

}  // namespace

std::vector<KernelResult> plan_with_switches(const KernelSet& set, double tolerance, std::span<const Seconds> latencies, Watts waiting) {
  const Limit limit{set, (1 + tolerance) * totals(set, {}).seconds};
  const KernelResult knapsack = plan_global(set, tolerance);
  std::vector<KernelPlan> pool = {KernelPlan(set.kernels.size(), 0), plan_single_setting(set, tolerance).plan, knapsack.plan};
  std::vector<double> bounds;
  for (const Seconds latency : latencies) {
    const SwitchCost cost{latency, waiting};
    if (latency == Seconds(0)) {
      bounds.push_back(knapsack.bound_joules.value_or(knapsack.totals.joules));
      continue;
    }
    Priced priced = find_price(limit, cost);
    bounds.push_back(priced.bound);
    KernelRuns runs(set, cost);
    for (const KernelPlan& plan : priced.plans) pool.push_back(runs.improved(runs.kept(plan, limit.seconds), limit.seconds));
    pool.push_back(runs.improved(*best_of(limit, pool, cost), limit.seconds));
  }
  std::vector<KernelResult> results;
  for (std::size_t i = 0; i < latencies.size(); ++i) {
    const SwitchCost cost{latencies[i], waiting};
    const bool free = latencies[i] == Seconds(0);
    KernelResult result = measured(set, free ? knapsack.plan : *best_of(limit, pool, cost), cost);
    result.bound_joules = std::min(bounds[i], result.totals.joules);
    results.push_back(std::move(result));
  }
  return results;
}

KernelResult plan_with_switches(const KernelSet& set, double tolerance, const SwitchCost& cost) {
  return plan_with_switches(set, tolerance, std::span(&cost.latency, 1), cost.waiting).front();
}

}  // namespace joulecast::policy
