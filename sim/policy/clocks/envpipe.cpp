#include "policy/clocks/envpipe.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "policy/clocks/operation_times.hpp"

namespace joulecast::policy {
namespace {

using training::Iteration;
using training::OperatingPoint;
using training::Operation;
using training::Pass;

bool is_pass(const Operation& operation) { return operation.pass != Pass::gradient_sync && operation.pass != Pass::optimizer; }

/// By operation: on the outer envelope, or no pass of a microbatch.
std::vector<bool> envelope(const Iteration& iteration) {
  std::int32_t last_microbatch = 0;
  for (const Operation& operation : iteration.operations) last_microbatch = std::max(last_microbatch, operation.microbatch);
  std::vector<bool> outer;
  for (const Operation& operation : iteration.operations) {
    const bool first = operation.pass == Pass::forward && operation.microbatch == 0;
    const bool last = operation.pass != Pass::forward && operation.microbatch == last_microbatch;
    outer.push_back(!is_pass(operation) || first || last || operation.stage == iteration.stages - 1);
  }
  return outer;
}

std::int32_t least_energy(const std::vector<OperatingPoint>& points) {
  const auto least =
      std::min_element(points.begin(), points.end(), [](const OperatingPoint& a, const OperatingPoint& b) { return a.energy < b.energy; });
  return static_cast<std::int32_t>(least - points.begin());
}

}  // namespace

training::PlanResult EnvPipe::plan(const Iteration& iteration, FixedTime deadline) const {
  const OperationTimes times(iteration);
  const std::vector<bool> outer = envelope(iteration);
  training::Plan plan;
  for (std::size_t i = 0; i < times.operations(); ++i) {
    plan.push_back(outer[i] ? 0 : least_energy(iteration.costs[static_cast<std::size_t>(iteration.operations[i].kind)]));
  }
  std::vector<FixedTime> taken = durations(iteration, plan), ends, latest;
  for (;;) {
    const FixedTime makespan = times.earliest_ends(taken, ends);
    if (makespan <= deadline) break;
    times.latest_ends(taken, makespan, latest);
    bool raised = false;
    for (std::size_t i = 0; i < times.operations(); ++i) {
      if (plan[i] == 0 || latest[i] > ends[i]) continue;
      --plan[i];
      taken[i] = iteration.costs[static_cast<std::size_t>(iteration.operations[i].kind)][static_cast<std::size_t>(plan[i])].time;
      raised = true;
    }
    if (!raised) break;  // the longest path is the envelope
  }
  return {std::move(plan), std::nullopt};
}

}  // namespace joulecast::policy
