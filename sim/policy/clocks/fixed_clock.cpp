#include "policy/clocks/fixed_clock.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/error.hpp"
#include "training/replay.hpp"

namespace joulecast::policy {
namespace {

using training::Iteration;
using training::OperatingPoint;
using training::Plan;

/// Clocks come in steps of 15 MHz or more; nearer than this is the same one written otherwise.
constexpr double kSameClock = 0.5e6;

/// Position of a clock among the points of a kind; that of the only point where there is one; -1 where the clock is not there.
std::int32_t position(const std::vector<OperatingPoint>& points, Hertz clock) {
  if (points.size() == 1) return 0;
  const auto found = std::find_if(points.begin(), points.end(),
                                  [clock](const OperatingPoint& point) { return std::abs(point.clock.si() - clock.si()) < kSameClock; });
  return found == points.end() ? -1 : static_cast<std::int32_t>(found - points.begin());
}

Plan plan_at(const Iteration& iteration, Hertz clock) {
  std::vector<std::int32_t> of_kind;
  for (const auto& points : iteration.costs) of_kind.push_back(position(points, clock));
  Plan plan;
  for (const training::Operation& operation : iteration.operations) {
    plan.push_back(of_kind[static_cast<std::size_t>(operation.kind)]);
    JOULECAST_CHECK(plan.back() >= 0, "a clock that an operation has no point for");
  }
  return plan;
}

void check_clock(const Iteration& iteration, Hertz clock) {
  const std::vector<Hertz> clocks = common_clocks(iteration);
  if (std::any_of(clocks.begin(), clocks.end(), [clock](Hertz each) { return std::abs(each.si() - clock.si()) < kSameClock; })) return;
  throw UserError(
      {}, fmt::format("static_clock: the operations have no point at {:g} MHz", clock.si() / 1e6),
      fmt::format("choose one of their {} clocks from {:g} to {:g} MHz", clocks.size(), clocks.back().si() / 1e6, clocks.front().si() / 1e6));
}

}  // namespace

std::vector<Hertz> common_clocks(const Iteration& iteration) {
  std::vector<Hertz> clocks;
  for (const auto& points : iteration.costs) {
    if (points.size() > 1) {
      for (const OperatingPoint& point : points) clocks.push_back(point.clock);
      break;
    }
  }
  std::erase_if(clocks, [&](Hertz clock) {
    return std::any_of(iteration.costs.begin(), iteration.costs.end(), [clock](const auto& points) { return position(points, clock) < 0; });
  });
  if (clocks.empty() && !iteration.costs.empty()) clocks.push_back(iteration.costs.front().front().clock);
  return clocks;
}

training::PlanResult MaxClock::plan(const Iteration& iteration, FixedTime) const { return {Plan(iteration.operations.size(), 0), std::nullopt}; }

training::PlanResult StaticClock::plan(const Iteration& iteration, FixedTime deadline) const {
  if (clock_) {
    check_clock(iteration, *clock_);
    return {plan_at(iteration, *clock_), std::nullopt};
  }
  Plan best(iteration.operations.size(), 0);
  bool found = false;
  FixedEnergy least;
  for (const Hertz clock : common_clocks(iteration)) {
    Plan plan = plan_at(iteration, clock);
    const training::Replay replay = training::replay(iteration, plan);
    if (replay.makespan > deadline || (found && replay.total() >= least)) continue;
    found = true;
    least = replay.total();
    best = std::move(plan);
  }
  return {std::move(best), std::nullopt};
}

}  // namespace joulecast::policy
