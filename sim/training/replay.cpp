#include "training/replay.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "training/waiting.hpp"

namespace joulecast::training {

namespace {

bool sorted(const Iteration& iteration) {
  return std::is_sorted(iteration.dependencies.begin(), iteration.dependencies.end(),
                        [](const Dependency& a, const Dependency& b) { return a.after < b.after; });
}

void check(const Iteration& iteration, const Plan& plan) {
  JOULECAST_CHECK(plan.empty() || plan.size() == iteration.operations.size(),
                  fmt::format("a plan of {} points for {} operations", plan.size(), iteration.operations.size()));
  for (std::size_t i = 0; i < plan.size(); ++i) {
    const auto points = static_cast<std::int32_t>(iteration.costs[static_cast<std::size_t>(iteration.operations[i].kind)].size());
    JOULECAST_CHECK(plan[i] >= 0 && plan[i] < points, fmt::format("operation {} at point {} of {}", i, plan[i], points));
  }
}

}  // namespace

Replay replay(const Iteration& iteration, const Plan& plan, std::optional<FixedTime> until) {
  check(iteration, plan);
  std::vector<Dependency> own;
  if (!sorted(iteration)) {
    own = iteration.dependencies;
    std::stable_sort(own.begin(), own.end(), [](const Dependency& a, const Dependency& b) { return a.after < b.after; });
  }
  const std::vector<Dependency>& dependencies = own.empty() ? iteration.dependencies : own;
  const std::size_t count = iteration.operations.size();
  Replay result;
  result.start.resize(count);
  std::vector<FixedTime> end(count), busy(static_cast<std::size_t>(iteration.stages));
  auto dependency = dependencies.begin();
  for (std::size_t i = 0; i < count; ++i) {
    const auto self = static_cast<std::int32_t>(i);
    FixedTime start;
    for (; dependency != dependencies.end() && dependency->after == self; ++dependency) {
      JOULECAST_CHECK(dependency->before >= 0 && dependency->before < self, "an iteration's operations are in topological order");
      start = std::max(start, end[static_cast<std::size_t>(dependency->before)] + dependency->delay);
    }
    const OperatingPoint& point = point_of(iteration, plan, i);
    result.start[i] = start;
    end[i] = start + point.time;
    busy[static_cast<std::size_t>(iteration.operations[i].stage)] += point.time;
    result.work += point.energy;
    result.makespan = std::max(result.makespan, end[i]);
  }
  JOULECAST_CHECK(dependency == dependencies.end(), "a dependency of no operation");
  const FixedTime last = std::max(result.makespan, until.value_or(FixedTime{}));
  for (std::size_t s = 0; s < busy.size(); ++s) {
    JOULECAST_CHECK(busy[s] <= last, fmt::format("stage {} runs several operations at once: its own order is not among the dependencies", s));
    result.blocking += WaitingPower(iteration.blocking[s]).until(last - busy[s]);
  }
  return result;
}

}  // namespace joulecast::training
