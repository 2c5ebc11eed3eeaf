#include "policy/clocks/kernel_switches.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

#include "policy/clocks/switch_path.hpp"

namespace joulecast::policy {
namespace {

constexpr double kRounding = 1e-12;

struct Limit {
  const KernelSet& set;
  double seconds;

  bool keeps(const KernelTotals& sum) const { return sum.seconds <= seconds * (1 + kRounding); }
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
    if (sum.joules + price * sum.seconds >= line - kRounding * line) break;
    (limit.keeps(sum) ? within : beyond) = sum;
  }
  return priced;
}

/// Lengths of the runs of neighbouring kernels that are tried at one setting.
constexpr std::size_t kRuns[] = {1, 2, 3, 4, 6, 8, 12, 25};

/// The option of a kernel with a setting, the cheapest of several.
std::optional<std::int32_t> option_at(const Kernel& kernel, std::int32_t setting) {
  std::optional<std::int32_t> found;
  for (std::size_t i = 0; i < kernel.options.size(); ++i) {
    if (kernel.options[i].setting != setting) continue;
    if (!found || kernel.options[i].joules < kernel.options[static_cast<std::size_t>(*found)].joules) found = static_cast<std::int32_t>(i);
  }
  return found;
}

/// Puts a run of kernels to one setting; false where one of them does not have it.
bool put(const KernelSet& set, KernelPlan& plan, std::size_t first, std::size_t count, std::int32_t setting) {
  for (std::size_t k = first; k < first + count; ++k) {
    const auto option = option_at(set.kernels[k], setting);
    if (!option) return false;
    plan[k] = *option;
  }
  return true;
}

/// The best change of one run, time after time, while one lowers the energy within the limit.
KernelPlan improved(const Limit& limit, KernelPlan plan, const SwitchCost& cost) {
  double joules = totals(limit.set, plan, cost).joules;
  for (;;) {
    KernelPlan best;
    for (const std::size_t count : kRuns) {
      for (std::size_t first = 0; first + count <= plan.size(); ++first) {
        for (std::size_t setting = 0; setting < limit.set.settings.size(); ++setting) {
          KernelPlan changed = plan;
          if (!put(limit.set, changed, first, count, static_cast<std::int32_t>(setting))) continue;
          const KernelTotals sum = totals(limit.set, changed, cost);
          if (!limit.keeps(sum) || sum.joules >= joules * (1 - kRounding)) continue;
          joules = sum.joules;
          best = std::move(changed);
        }
      }
    }
    if (best.empty()) return plan;
    plan = std::move(best);
  }
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
    const KernelPlan* start = best_of(limit, priced.plans, cost);
    pool.push_back(improved(limit, start != nullptr ? *start : pool.front(), cost));
    pool.push_back(improved(limit, *best_of(limit, pool, cost), cost));
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
