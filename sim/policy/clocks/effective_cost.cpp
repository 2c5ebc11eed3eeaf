#include "policy/clocks/effective_cost.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace joulecast::policy {
namespace {

/// Is b above or on the line from a to c?
bool above_line(const EffectivePoint& a, const EffectivePoint& b, const EffectivePoint& c) {
  return (b.joules - a.joules) * (c.seconds - a.seconds) >= (c.joules - a.joules) * (b.seconds - a.seconds);
}

}  // namespace

EffectiveCost effective_cost(const std::vector<training::OperatingPoint>& points, Watts blocking) {
  EffectiveCost cost;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double seconds = points[i].time.units();
    cost.all.push_back({static_cast<std::int32_t>(i), seconds, points[i].energy.units() - blocking.si() * seconds});
  }
  std::vector<EffectivePoint> rising = cost.all;
  std::sort(rising.begin(), rising.end(),
            [](const EffectivePoint& a, const EffectivePoint& b) { return std::pair(a.seconds, a.joules) < std::pair(b.seconds, b.joules); });
  for (const EffectivePoint& point : rising) {
    if (cost.best.empty() || point.joules < cost.best.back().joules) cost.best.push_back(point);
  }
  for (const EffectivePoint& point : cost.best) {
    while (cost.hull.size() >= 2 && above_line(cost.hull[cost.hull.size() - 2], cost.hull.back(), point)) cost.hull.pop_back();
    cost.hull.push_back(point);
  }
  return cost;
}

EffectiveCosts effective_costs(const training::Iteration& iteration) {
  EffectiveCosts costs;
  std::map<std::pair<std::int32_t, double>, std::int32_t> known;
  for (const training::Operation& operation : iteration.operations) {
    const Watts blocking = iteration.blocking[static_cast<std::size_t>(operation.stage)];
    const auto [place, fresh] = known.try_emplace({operation.kind, blocking.si()}, static_cast<std::int32_t>(costs.kinds.size()));
    if (fresh) costs.kinds.push_back(effective_cost(iteration.costs[static_cast<std::size_t>(operation.kind)], blocking));
    costs.of_operation.push_back(place->second);
  }
  return costs;
}

Watts blocking_power(const training::Iteration& iteration) {
  Watts sum;
  for (const Watts watts : iteration.blocking) sum += watts;
  return sum;
}

}  // namespace joulecast::policy
