#include "policy/clocks/kernel_planner.hpp"

#include <cstddef>
#include <map>
#include <utility>
#include <vector>

#include "policy/clocks/kernel_dvfs.hpp"
#include "training/replay.hpp"

namespace joulecast::policy {
namespace {

/// One stage's kinds of operation as kernels; the settings are not looked at without switch costs.
struct StageKernels {
  std::vector<std::int32_t> kinds;
  KernelSet set;
};

std::vector<StageKernels> stage_kernels(const training::Iteration& iteration) {
  std::vector<std::map<std::int32_t, std::int32_t>> calls(static_cast<std::size_t>(iteration.stages));
  for (const training::Operation& operation : iteration.operations) ++calls[static_cast<std::size_t>(operation.stage)][operation.kind];
  std::vector<StageKernels> stages;
  for (const auto& of_stage : calls) {
    stages.emplace_back();
    for (const auto& [kind, repeat] : of_stage) {
      Kernel kernel{"", repeat, {}};
      for (const training::OperatingPoint& point : iteration.costs[static_cast<std::size_t>(kind)]) {
        kernel.options.push_back({static_cast<std::int32_t>(kernel.options.size()), point.time.units(), point.energy.units()});
      }
      stages.back().kinds.push_back(kind);
      stages.back().set.kernels.push_back(std::move(kernel));
    }
  }
  return stages;
}

template <class Choose>
training::Plan chosen(const training::Iteration& iteration, const std::vector<StageKernels>& stages, Choose choose) {
  std::vector<std::map<std::int32_t, std::int32_t>> points;
  for (const StageKernels& stage : stages) {
    points.emplace_back();
    if (stage.kinds.empty()) continue;
    const KernelPlan plan = choose(stage.set);
    for (std::size_t i = 0; i < plan.size(); ++i) points.back()[stage.kinds[i]] = plan[i];
  }
  training::Plan plan;
  for (const training::Operation& operation : iteration.operations) plan.push_back(points[static_cast<std::size_t>(operation.stage)][operation.kind]);
  return plan;
}

}  // namespace

training::PlanResult KernelDvfs::plan(const training::Iteration& iteration, FixedTime deadline) const {
  const std::vector<StageKernels> stages = stage_kernels(iteration);
  const auto local = [&](const KernelSet& set) { return plan_local(set, options_.tolerance).plan; };
  switch (options_.goal) {
    case KernelDvfsOptions::Goal::local:
      return {chosen(iteration, stages, local), std::nullopt};
    case KernelDvfsOptions::Goal::edp:
      return {chosen(iteration, stages, [](const KernelSet& set) { return plan_global_edp(set).plan; }), std::nullopt};
    default: {
      training::Plan global = chosen(iteration, stages, [&](const KernelSet& set) { return plan_global(set, options_.tolerance).plan; });
      const FixedTime limit = FixedTime::from_units((1 + options_.tolerance) * deadline.units() * (1 + 1e-12));
      if (training::replay(iteration, global).makespan <= limit) return {std::move(global), std::nullopt};
      return {chosen(iteration, stages, local), std::nullopt};
    }
  }
}

}  // namespace joulecast::policy
