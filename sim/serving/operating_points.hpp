#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "base/time.hpp"
#include "serving/cost/pool_costs.hpp"
#include "serving/step_cost.hpp"

namespace joulecast::serving {

/// The operating points that a pool's GPUs were set to, by number, and what steps cost at each. Point 0 is what the pool itself sets. Points are added
/// between windows, where no replica runs; replicas ask from any thread.
class OperatingPoints {
 public:
  /// `first` is the costs of `point`; `latency` that of a change of the GPU's clock or limit.
  OperatingPoints(std::unique_ptr<StepCosts> first, const OperatingPoint& point, Span latency);

  /// The number of a point, which is added if it is new: a clock or a limit that the GPU has.
  std::size_t number_of(const OperatingPoint& point);
  const OperatingPoint& point(std::size_t number) const { return points_[number]; }
  const StepCosts& costs(std::size_t number) const { return *costs_[number]; }
  std::size_t size() const { return points_.size(); }
  Span switch_latency() const { return latency_; }

  /// The worst over all points of what has been asked.
  Provenance time_provenance(Work work) const;
  Provenance watts_provenance(Work work) const;

 private:
  std::vector<OperatingPoint> points_;
  std::vector<std::unique_ptr<StepCosts>> costs_;
  Span latency_;
};

}  // namespace joulecast::serving
