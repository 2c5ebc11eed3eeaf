#include "policy/clocks/kernel_set.hpp"

namespace joulecast::policy {

std::vector<KernelLoop> loops(const KernelSet& set) {
  std::vector<KernelLoop> all;
  for (std::size_t i = 0; i < set.kernels.size(); ++i) {
    if (all.empty() || all.back().repeat != set.kernels[i].repeat) all.push_back({i, 0, set.kernels[i].repeat});
    ++all.back().count;
  }
  return all;
}

KernelTotals totals(const KernelSet& set, const KernelPlan& plan, const SwitchCost& cost) {
  KernelTotals sum;
  const auto option = [&](std::size_t i) -> const KernelOption& {
    return set.kernels[i].options[plan.empty() ? 0 : static_cast<std::size_t>(plan[i])];
  };
  for (std::size_t i = 0; i < set.kernels.size(); ++i) {
    sum.seconds += set.kernels[i].repeat * option(i).seconds;
    sum.joules += set.kernels[i].repeat * option(i).joules;
  }
  const auto differ = [&](std::size_t a, std::size_t b) { return option(a).setting != option(b).setting ? 1 : 0; };
  for (const KernelLoop& loop : loops(set)) {
    const std::size_t last = loop.first + loop.count - 1;
    for (std::size_t i = loop.first; i < last; ++i) sum.changes += loop.repeat * differ(i, i + 1);
    sum.changes += (loop.repeat - 1) * differ(last, loop.first);
    sum.changes += differ(last, (last + 1) % set.kernels.size());
  }
  sum.seconds += static_cast<double>(sum.changes) * cost.latency.si();
  sum.joules += static_cast<double>(sum.changes) * (cost.latency * cost.waiting).si();
  return sum;
}

}  // namespace joulecast::policy
