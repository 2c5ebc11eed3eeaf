#include "serving/operating_points.hpp"

#include <algorithm>

namespace joulecast::serving {

OperatingPoints::OperatingPoints(std::unique_ptr<StepCosts> first, const OperatingPoint& point, Span latency) : points_{point}, latency_(latency) {
  costs_.push_back(std::move(first));
}

std::size_t OperatingPoints::number_of(const OperatingPoint& point) {
  const auto found = std::find(points_.begin(), points_.end(), point);
  if (found != points_.end()) return static_cast<std::size_t>(found - points_.begin());
  costs_.push_back(costs_.front()->at_point(point));
  points_.push_back(point);
  return points_.size() - 1;
}

Provenance OperatingPoints::time_provenance(Work work) const {
  Provenance known = Provenance::measured;
  for (const auto& costs : costs_) known = worst(known, costs->time_provenance(work));
  return known;
}

Provenance OperatingPoints::watts_provenance(Work work) const {
  Provenance known = Provenance::measured;
  for (const auto& costs : costs_) known = worst(known, costs->watts_provenance(work));
  return known;
}

}  // namespace joulecast::serving
