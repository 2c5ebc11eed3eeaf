#include "policy/clocks/kernel_dvfs.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "policy/clocks/choice_knapsack.hpp"

namespace joulecast::policy {
namespace {

/// Room for the rounding of sums of doubles.
constexpr double kGoalRounding = 1e-12;

std::vector<std::vector<Choice>> items(const KernelSet& set) {
  std::vector<std::vector<Choice>> all;
  for (const Kernel& kernel : set.kernels) {
    all.emplace_back();
    for (const KernelOption& option : kernel.options) all.back().push_back({kernel.repeat * option.seconds, kernel.repeat * option.joules});
  }
  return all;
}

KernelPlan to_plan(const std::vector<std::size_t>& chosen) {
  KernelPlan plan;
  for (const std::size_t option : chosen) plan.push_back(static_cast<std::int32_t>(option));
  return plan;
}

/// The option of least `cost` among those that are allowed; the first among equals, the baseline where none is.
template <class Allowed, class Cost>
std::int32_t least(const Kernel& kernel, Allowed allowed, Cost cost) {
  std::int32_t best = 0;
  for (std::size_t i = 1; i < kernel.options.size(); ++i) {
    if (allowed(kernel.options[i]) && cost(kernel.options[i]) < cost(kernel.options[static_cast<std::size_t>(best)])) {
      best = static_cast<std::int32_t>(i);
    }
  }
  return best;
}

}  // namespace

KernelResult measured(const KernelSet& set, KernelPlan plan, const SwitchCost& cost) {
  const KernelTotals base = totals(set, {});
  KernelResult result;
  result.totals = totals(set, plan, cost);
  result.plan = std::move(plan);
  result.time_change = result.totals.seconds / base.seconds - 1;
  result.energy_change = result.totals.joules / base.joules - 1;
  return result;
}

KernelResult plan_local(const KernelSet& set, double tolerance) {
  KernelPlan plan;
  for (const Kernel& kernel : set.kernels) {
    const double longest = (1 + tolerance) * kernel.options.front().seconds * (1 + kGoalRounding);
    plan.push_back(least(
        kernel, [&](const KernelOption& option) { return option.seconds <= longest; }, [](const KernelOption& option) { return option.joules; }));
  }
  return measured(set, std::move(plan));
}

KernelResult plan_global(const KernelSet& set, double tolerance) {
  const auto solution = solve_choice_knapsack(items(set), (1 + tolerance) * totals(set, {}).seconds);
  JOULECAST_CHECK(solution, "the baseline is beyond its own time");
  KernelResult result = measured(set, to_plan(solution->chosen));
  result.bound_joules = solution->bound;
  return result;
}

KernelResult plan_local_edp(const KernelSet& set) {
  KernelPlan plan;
  for (const Kernel& kernel : set.kernels) {
    plan.push_back(least(
        kernel, [](const KernelOption&) { return true; }, [](const KernelOption& option) { return option.seconds * option.joules; }));
  }
  return measured(set, std::move(plan));
}

KernelResult plan_global_edp(const KernelSet& set) {
  const std::vector<ChoiceSolution> corners = hull_selections(items(set));
  const auto best = std::min_element(corners.begin(), corners.end(),
                                     [](const ChoiceSolution& a, const ChoiceSolution& b) { return a.weight * a.cost < b.weight * b.cost; });
  return measured(set, to_plan(best->chosen));
}

KernelResult plan_single_setting(const KernelSet& set, double tolerance) {
  const double longest = (1 + tolerance) * totals(set, {}).seconds * (1 + kGoalRounding);
  KernelPlan best(set.kernels.size(), 0);
  double joules = totals(set, best).joules;
  for (std::size_t setting = 0; setting < set.settings.size(); ++setting) {
    KernelPlan plan;
    for (const Kernel& kernel : set.kernels) {
      const auto found = std::find_if(kernel.options.begin(), kernel.options.end(),
                                      [&](const KernelOption& option) { return option.setting == static_cast<std::int32_t>(setting); });
      if (found == kernel.options.end()) break;
      plan.push_back(static_cast<std::int32_t>(found - kernel.options.begin()));
    }
    if (plan.size() != set.kernels.size()) continue;
    const KernelTotals sum = totals(set, plan);
    if (sum.seconds > longest || sum.joules >= joules) continue;
    best = std::move(plan);
    joules = sum.joules;
  }
  return measured(set, std::move(best));
}

}  // namespace joulecast::policy
