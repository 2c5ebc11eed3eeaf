#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "training/iteration.hpp"

namespace joulecast::training {

/// An iteration carried out with given points: every operation starts as soon as its dependencies allow.
struct Replay {
  std::vector<FixedTime> start;  ///< by operation
  FixedTime makespan;
  FixedEnergy work;      ///< of all operations
  FixedEnergy blocking;  ///< of waiting stages until the makespan, or until `until` where that is later
  FixedEnergy total() const { return work + blocking; }
};

/// The point that a plan (empty: the first of every kind) gives an operation.
inline const OperatingPoint& point_of(const Iteration& iteration, const Plan& plan, std::size_t operation) {
  const auto& points = iteration.costs[static_cast<std::size_t>(iteration.operations[operation].kind)];
  return plan.empty() ? points.front() : points[static_cast<std::size_t>(plan[operation])];
}

/// Replays a plan (empty: every operation at its first point, the highest clock). `until`: when the slowest peer of the pipeline ends (a straggler):
/// everybody waits until then at blocking watts. Energy of a stage = its operations + blocking * (end - its operations' time).
Replay replay(const Iteration& iteration, const Plan& plan, std::optional<FixedTime> until = {});

}  // namespace joulecast::training
