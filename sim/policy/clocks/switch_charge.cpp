#include "policy/clocks/switch_charge.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <deque>
#include <vector>

#include "policy/clocks/operation_times.hpp"

namespace joulecast::policy {
namespace {

using training::Iteration;
using training::OperatingPoint;
using training::Plan;

/// The clocks of one stage's GPUs over an iteration.
class StageClock {
 public:
  void begin(Hertz clock) { asked_ = in_effect_ = clock; }
  /// Asks for a clock; returns whether it differs from the last.
  bool ask(Hertz clock, FixedTime now, FixedTime latency) {
    if (clock == asked_) return false;
    asked_ = clock;
    coming_.push_back({now + latency, clock});
    return true;
  }
  Hertz at(FixedTime now) {
    for (; !coming_.empty() && coming_.front().acts <= now; coming_.pop_front()) in_effect_ = coming_.front().clock;
    return in_effect_;
  }

  FixedTime free;  ///< when the stage's last operation ended

 private:
  struct Request {
    FixedTime acts;
    Hertz clock;
  };
  Hertz asked_, in_effect_;
  std::deque<Request> coming_;
};

std::int32_t nearest(const std::vector<OperatingPoint>& points, Hertz clock) {
  const auto distance = [clock](const OperatingPoint& point) { return std::abs(point.clock.si() - clock.si()); };
  const auto found =
      std::min_element(points.begin(), points.end(), [&](const OperatingPoint& a, const OperatingPoint& b) { return distance(a) < distance(b); });
  return static_cast<std::int32_t>(found - points.begin());
}

std::int32_t under_cap(const std::vector<OperatingPoint>& points, std::int32_t from, Watts limit) {
  const auto watts = [&](std::int32_t i) {
    const OperatingPoint& point = points[static_cast<std::size_t>(i)];
    return point.time == FixedTime{} ? 0.0 : point.energy.units() / point.time.units();
  };
  std::int32_t lowest = from;
  for (std::int32_t i = from; static_cast<std::size_t>(i) < points.size(); ++i) {
    if (watts(i) <= limit.si()) return i;
    if (watts(i) < watts(lowest)) lowest = i;
  }
  return lowest;
}

}  // namespace

Charged charge_switches(const Iteration& iteration, const Plan& plan, const ChargeOptions& options) {
  const OperationTimes times(iteration);
  const auto points_of = [&](std::size_t i) -> const std::vector<OperatingPoint>& {
    return iteration.costs[static_cast<std::size_t>(iteration.operations[i].kind)];
  };
  const auto stage_of = [&](std::size_t i) { return static_cast<std::size_t>(iteration.operations[i].stage); };
  const auto planned = [&](std::size_t i) { return plan.empty() ? 0 : plan[i]; };

  // The highest point of an operation may be what a cap leaves of the highest clock: asked for is that of the stage, and above it nothing changes.
  std::vector<Hertz> highest(static_cast<std::size_t>(iteration.stages));
  for (std::size_t i = 0; i < times.operations(); ++i) {
    if (points_of(i).size() > 1) highest[stage_of(i)] = std::max(highest[stage_of(i)], points_of(i).front().clock);
  }
  const auto wanted = [&](std::size_t i) {
    const std::int32_t point = planned(i);
    return point == 0 ? highest[stage_of(i)] : points_of(i)[static_cast<std::size_t>(point)].clock;
  };
  std::vector<StageClock> stages(static_cast<std::size_t>(iteration.stages));
  for (std::size_t i = 0; i < times.operations(); ++i) {
    if (points_of(i).size() > 1) stages[stage_of(i)].begin(wanted(i));
  }
  Charged charged;
  charged.achieved.resize(times.operations());
  std::vector<FixedTime> ends(times.operations());
  for (std::size_t i = 0; i < times.operations(); ++i) {
    StageClock& stage = stages[stage_of(i)];
    const std::vector<OperatingPoint>& points = points_of(i);
    FixedTime start;
    for (const auto& before : times.before(i)) start = std::max(start, ends[static_cast<std::size_t>(before.operation)] + before.delay);
    std::int32_t point = planned(i);
    if (points.size() > 1) {
      if (stage.ask(wanted(i), stage.free, options.latency)) ++charged.changes;
      const Hertz clock = stage.at(start);
      if (clock != wanted(i)) {
        point = nearest(points, clock);
        if (point != planned(i)) ++charged.late;
      }
    }
    if (options.stage_limit) point = under_cap(points, point, *options.stage_limit);
    charged.achieved[i] = point;
    ends[i] = start + points[static_cast<std::size_t>(point)].time;
    stage.free = ends[i];
  }
  charged.replay = training::replay(iteration, charged.achieved, options.until);
  return charged;
}

}  // namespace joulecast::policy
