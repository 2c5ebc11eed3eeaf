#include "policy/clocks/power_limit.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "training/replay.hpp"

namespace joulecast::policy {
namespace {

template <class Cost>
std::size_t least(std::span<const PowerLimitPoint> points, Cost cost) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < points.size(); ++i) {
    if (cost(points[i]) < cost(points[best])) best = i;
  }
  return best;
}

std::size_t highest_limit(std::span<const PowerLimitPoint> points) {
  return least(points, [](const PowerLimitPoint& point) { return -1 * point.limit; });
}

std::vector<PowerLimitPoint> measure(const training::Iteration& iteration, const std::vector<Watts>& limits) {
  std::vector<PowerLimitPoint> points;
  for (const Watts limit : limits) {
    const training::Replay replay = training::replay(iteration, plan_under_cap(iteration, iteration.gpus_per_stage * limit));
    points.push_back({limit, Seconds(replay.makespan.units()), Joules(replay.total().units())});
  }
  return points;
}

}  // namespace

std::size_t least_energy(std::span<const PowerLimitPoint> points) {
  return least(points, [](const PowerLimitPoint& point) { return point.energy; });
}

std::size_t least_time(std::span<const PowerLimitPoint> points) {
  return least(points, [](const PowerLimitPoint& point) { return point.time; });
}

std::size_t least_cost(std::span<const PowerLimitPoint> points, double eta_knob, int gpus) {
  const Watts most = gpus * points[highest_limit(points)].limit;
  return least(points, [&](const PowerLimitPoint& point) { return eta_knob * point.energy + (1 - eta_knob) * (most * point.time); });
}

std::size_t lowest_within_slowdown(std::span<const PowerLimitPoint> points, double factor) {
  std::size_t best = highest_limit(points);
  const Seconds longest = factor * points[best].time;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (points[i].time <= longest && points[i].limit < points[best].limit) best = i;
  }
  return best;
}

training::Plan plan_under_cap(const training::Iteration& iteration, Watts stage_limit) {
  std::vector<std::int32_t> of_kind;
  for (const auto& points : iteration.costs) {
    const auto watts = [](const training::OperatingPoint& point) { return point.energy.units() / point.time.units(); };
    // An operation that takes no time draws nothing that a cap could act on.
    const auto within = std::find_if(points.begin(), points.end(), [&](const training::OperatingPoint& point) {
      return point.time == FixedTime{} || watts(point) <= stage_limit.si();
    });
    const auto lowest = std::min_element(points.begin(), points.end(), [&](const auto& a, const auto& b) { return watts(a) < watts(b); });
    of_kind.push_back(static_cast<std::int32_t>((within != points.end() ? within : lowest) - points.begin()));
  }
  training::Plan plan;
  for (const training::Operation& operation : iteration.operations) plan.push_back(of_kind[static_cast<std::size_t>(operation.kind)]);
  return plan;
}

std::size_t PowerLimit::choose(const std::vector<PowerLimitPoint>& points, int gpus) const {
  switch (options_.selector) {
    case PowerLimitOptions::Selector::time:
      return least_time(points);
    case PowerLimitOptions::Selector::cost:
      return least_cost(points, options_.eta_knob, gpus);
    case PowerLimitOptions::Selector::max_slowdown:
      return lowest_within_slowdown(points, options_.max_slowdown_factor);
    default:
      return least_energy(points);
  }
}

PowerLimitPoint PowerLimit::chosen(const training::Iteration& iteration) const {
  JOULECAST_CHECK(!options_.limits.empty(), "a choice among no power limits");
  const std::vector<PowerLimitPoint> points = measure(iteration, options_.limits);
  return points[choose(points, iteration.gpus_per_stage * iteration.stages)];
}

training::PlanResult PowerLimit::plan(const training::Iteration& iteration, FixedTime) const {
  return {plan_under_cap(iteration, iteration.gpus_per_stage * chosen(iteration).limit), std::nullopt};
}

}  // namespace joulecast::policy
