#pragma once

#include <cstdint>
#include <vector>

#include "training/iteration.hpp"

namespace joulecast::policy {

/// What running an operation at a point costs beyond having its stage wait for as long: `c = e - P_block*t` (You et al.: "Perseus", SOSP 2024,
/// section 4.2). The energy of an iteration with makespan T is then sum of c + sum over stages of P_block*T, whatever waits for what.
struct EffectivePoint {
  std::int32_t point = 0;  ///< position in the costs of the kind
  double seconds = 0;
  double joules = 0;  ///< c
};

/// The points of one kind on stages of one blocking power that can be in a best plan.
struct EffectiveCost {
  std::vector<EffectivePoint> all;   ///< as profiled, by position
  std::vector<EffectivePoint> best;  ///< those that no other beats in both time and c: rising time, falling c
  std::vector<EffectivePoint> hull;  ///< those of `best` on the lower convex hull of c over t: slopes rise to below 0
};

EffectiveCost effective_cost(const std::vector<training::OperatingPoint>& points, Watts blocking);

/// The effective costs of every operation of an iteration: one for each kind and blocking power that occur together.
struct EffectiveCosts {
  std::vector<EffectiveCost> kinds;
  std::vector<std::int32_t> of_operation;

  const EffectiveCost& of(std::size_t operation) const { return kinds[static_cast<std::size_t>(of_operation[operation])]; }
};
EffectiveCosts effective_costs(const training::Iteration& iteration);

/// Sum over stages of the blocking power: what one second more of makespan costs beside the effective costs.
Watts blocking_power(const training::Iteration& iteration);

}  // namespace joulecast::policy
