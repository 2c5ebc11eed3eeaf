#include "policy/clocks/slack_rounding.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "base/error.hpp"

namespace joulecast::policy {
namespace {

/// The solver keeps to rows within some 1e-9 of the horizon. An operation meant to run at a point must not fall to the next faster one for that.
constexpr double kSolverLeave = 1e-9;

/// Which points a first plan is made of.
enum class From : unsigned char { all_points, hull };

/// The slower and the faster of the points about a duration, as levels.
struct Around {
  std::size_t faster = 0, slower = 0;
};

Around around(const PointLevels& plan, std::size_t i, FixedTime longest, From from) {
  if (from == From::all_points) {
    const std::size_t level = plan.slowest_within(i, longest);
    return {level, std::min(level + 1, plan.levels(i) - 1)};
  }
  const std::vector<std::size_t>& hull = plan.hull_levels(i);
  std::size_t at = 0;
  while (at + 1 < hull.size() && plan.time(i, hull[at + 1]) <= longest) ++at;
  return {hull[at], hull[std::min(at + 1, hull.size() - 1)]};
}

/// Operation by operation, the slowest point that ends before the successors' relaxed starts.
PointLevels follow(PointLevels plan, const SlackProgram::Relaxed& relaxed, From from) {
  const OperationTimes& times = plan.times();
  const FixedTime leave = FixedTime::from_units(kSolverLeave * plan.deadline().units());
  std::vector<FixedTime> shortest, latest, ends(times.operations());
  for (std::size_t i = 0; i < times.operations(); ++i) shortest.push_back(plan.time(i, 0));
  times.latest_ends(shortest, plan.deadline(), latest);
  for (std::size_t i = 0; i < times.operations(); ++i) {
    FixedTime start;
    for (const auto& before : times.before(i)) start = std::max(start, ends[static_cast<std::size_t>(before.operation)] + before.delay);
    FixedTime end = latest[i];  // kept by all, this alone makes the rest fit at its shortest points
    for (const auto& after : times.after(i)) {
      end = std::min(end, FixedTime::from_units(relaxed.start[static_cast<std::size_t>(after.operation)]) - after.delay + leave);
    }
    plan.set(i, around(plan, i, end - start, from).faster);
    ends[i] = start + plan.time(i);
  }
  return plan;
}

/// Every operation at the slower of the points about its relaxed duration if that lies beyond `share` of the way between them, else at the faster.
PointLevels nearest(PointLevels plan, const SlackProgram::Relaxed& relaxed, From from, double share) {
  for (std::size_t i = 0; i < plan.operations(); ++i) {
    const double duration = relaxed.duration[i];
    const Around points = around(plan, i, FixedTime::from_units(duration * (1 + kSolverLeave)), from);
    const double faster = plan.time(i, points.faster).units(), slower = plan.time(i, points.slower).units();
    const bool between = duration > faster * (1 + kSolverLeave);
    plan.set(i, between && duration - faster > share * (slower - faster) ? points.slower : points.faster);
  }
  plan.keep_deadline();
  return plan;
}

/// Along each stage, the point about the relaxed duration that keeps the sum of durations nearest to the sum of relaxed ones, as a picture is
/// dithered.
PointLevels diffuse(PointLevels plan, const SlackProgram::Relaxed& relaxed, From from) {
  const training::Iteration& iteration = plan.times().iteration();
  std::vector<double> owed(static_cast<std::size_t>(iteration.stages), 0.0);
  for (std::size_t i = 0; i < plan.operations(); ++i) {
    const double duration = relaxed.duration[i];
    double& debt = owed[static_cast<std::size_t>(iteration.operations[i].stage)];
    const Around points = around(plan, i, FixedTime::from_units(duration * (1 + kSolverLeave)), from);
    const double faster = plan.time(i, points.faster).units(), slower = plan.time(i, points.slower).units();
    const bool between = duration > faster * (1 + kSolverLeave);
    plan.set(i, between && debt + duration - faster > (slower - faster) / 2 ? points.slower : points.faster);
    debt += duration - plan.time(i).units();
  }
  plan.keep_deadline();
  return plan;
}

/// By how many levels one operation is made faster, or slower, in an exchange.
constexpr std::size_t kExchangeLevels[] = {1, 2, 3, 4, 6, 8};

/// Improves a plan by changing one operation and mending the rest: faster, and the slack that this frees is used up elsewhere; slower, and the
/// deadline is kept by what costs least. A change stays where the sum falls.
class Exchange {
 public:
  Exchange(PointLevels& plan, long passes) : plan_(plan), end_(plan.passes() + passes), now_(plan.joules()) {}

  void run() {
    for (bool better = true; better;) {
      better = false;
      for (std::size_t i = 0; i < plan_.operations(); ++i) {
        for (const std::size_t levels : kExchangeLevels) {
          if (plan_.passes() >= end_) return;
          if (plan_.level(i) >= levels && helps(i, plan_.level(i) - levels)) better = true;
          if (levels <= 2 && plan_.level(i) + levels < plan_.levels(i) && helps(i, plan_.level(i) + levels)) better = true;
        }
      }
    }
  }

 private:
  bool helps(std::size_t i, std::size_t level) {
    journal_.assign(1, {i, plan_.level(i)});
    plan_.set(i, level);
    plan_.keep_deadline(&journal_);
    plan_.use_slack(&journal_);
    const double then = plan_.joules();
    if (then < now_ - 1e-12 * std::abs(now_)) {
      now_ = then;
      return true;
    }
    plan_.undo(journal_);
    return false;
  }

  PointLevels& plan_;
  long end_;
  double now_;
  PointLevels::Journal journal_;
};

}  // namespace

training::Plan round_to_points(const OperationTimes& times, const EffectiveCosts& costs, const SlackProgram::Relaxed& relaxed, FixedTime deadline,
                               long passes) {
  const PointLevels fresh(times, costs, deadline);
  std::vector<PointLevels> plans;
  for (const From from : {From::all_points, From::hull}) {
    plans.push_back(follow(fresh, relaxed, from));
    for (const double share : {0.0, 0.7}) plans.push_back(nearest(fresh, relaxed, from, share));
    plans.push_back(diffuse(fresh, relaxed, from));
  }
  for (PointLevels& plan : plans) plan.use_slack();
  const auto best = std::min_element(plans.begin(), plans.end(), [](const PointLevels& a, const PointLevels& b) { return a.joules() < b.joules(); });
  Exchange(*best, passes).run();
  JOULECAST_CHECK(best->makespan() <= deadline, "a rounded plan beyond its deadline");
  return best->plan();
}

long exchange_passes(const OperationTimes& times) {
  constexpr long kVisits = 60'000'000;
  return kVisits / static_cast<long>(std::max<std::size_t>(1, times.operations()));
}

}  // namespace joulecast::policy
