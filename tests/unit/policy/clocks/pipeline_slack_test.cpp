// Plans against every plan there is on small graphs, the bound, deadlines to the bit, stragglers.
#include "policy/clocks/pipeline_slack.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <optional>

#include "policy/clocks/effective_cost.hpp"
#include "policy/clocks/operation_times.hpp"
#include "policy/clocks/slack_program.hpp"
#include "unit/policy/clocks/pipelines.hpp"

using namespace joulecast;
using namespace joulecast::training;
using policy::PipelineSlack;
using test::point;

namespace {

/// The least energy of all plans whose makespan is within the deadline; none where there is no such plan.
std::optional<FixedEnergy> exhaustive(const Iteration& iteration, FixedTime deadline, std::optional<FixedTime> until = {}) {
  std::optional<FixedEnergy> least;
  Plan plan(iteration.operations.size(), 0);
  for (;;) {
    const Replay replayed = replay(iteration, plan, until);
    if (replayed.makespan <= deadline && (!least || replayed.total() < *least)) least = replayed.total();
    std::size_t at = 0;
    for (; at < plan.size(); ++at) {
      const auto points = iteration.costs[static_cast<std::size_t>(iteration.operations[at].kind)].size();
      if (static_cast<std::size_t>(++plan[at]) < points) break;
      plan[at] = 0;
    }
    if (at == plan.size()) return least;
  }
}

}  // namespace

TEST_CASE("two stages, one microbatch: all is on the critical path, and nothing can be slowed") {
  const Iteration iteration = test::pipeline({{{point(2, 1, 10), point(1, 2, 5)}, {point(2, 2, 20), point(1, 4, 10)}},
                                              {{point(2, 1, 10), point(1, 2, 5)}, {point(2, 2, 20), point(1, 4, 10)}}},
                                             1, 1);
  const PlanResult result = PipelineSlack().plan(iteration, FixedTime::from_units(6));
  CHECK(result.plan == Plan(4, 0));
  // 60 J of work; each stage waits 3 of 6 s at 1 W.
  CHECK(replay(iteration, result.plan).total().units() == Approx(66));
  CHECK(result.bound_joules.value() == Approx(66));
}

TEST_CASE("a short stage is slowed into the bubble that a long one leaves") {
  // Stage 1 takes 2 s a pass, stage 0 1 s. 1F1B, 2 microbatches: stage 0 runs F0 F1 B0 B1, stage 1 F0 B0 F1 B1, makespan 1 + 4*2 + 1 = 10 with B1 of
  // stage 0 last. F1 and B0 of stage 0 have slack: F1 (from 1) must end by 5, B0 (from 5) by 9.
  const Iteration iteration =
      test::pipeline({{{point(2, 1, 10), point(1, 3, 4)}, {point(2, 1, 10), point(1, 3, 4)}}, {{point(2, 2, 20)}, {point(2, 2, 20)}}}, 2, 1);
  const PlanResult result = PipelineSlack().plan(iteration, FixedTime::from_units(10));
  std::vector<int> slowed;
  for (std::size_t i = 0; i < result.plan.size(); ++i) {
    if (result.plan[i] == 1) slowed.push_back(iteration.operations[i].microbatch + (iteration.operations[i].pass == Pass::backward ? 10 : 0));
  }
  std::sort(slowed.begin(), slowed.end());
  CHECK(slowed == std::vector<int>{1, 10});
  const Replay replayed = replay(iteration, result.plan);
  CHECK(replayed.makespan == FixedTime::from_units(10));
  // 80 + 10 + 4 + 4 + 10 J of work; stage 0 waits 10 - 8, stage 1 10 - 8 s.
  CHECK(replayed.total().units() == Approx(112));
  CHECK(result.bound_joules.value() == Approx(112));
}

TEST_CASE("small graphs: what exhaustive search finds, never beyond the deadline, never below the bound") {
  int equal = 0, all = 0;
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    CAPTURE(seed);
    const Iteration iteration = test::random_pipeline(seed, 2, 2, 3);
    const FixedTime shortest = policy::deadline_of(iteration, policy::DeadlineFrom::shortest_points, 1);
    for (const double factor : {1.0, 1.04, 1.1, 1.25}) {
      CAPTURE(factor);
      const FixedTime deadline = factor == 1 ? shortest : FixedTime::from_units(factor * shortest.units());
      const auto least = exhaustive(iteration, deadline);
      REQUIRE(least);
      const PlanResult result = PipelineSlack().plan(iteration, deadline);
      const Replay replayed = replay(iteration, result.plan);
      CHECK(replayed.makespan <= deadline);
      CHECK(result.bound_joules.value() <= least->units() * (1 + 1e-12));
      CHECK(replayed.total() >= *least);
      CHECK(replayed.total().units() <= least->units() * 1.0001);
      ++all;
      equal += replayed.total() == *least ? 1 : 0;
    }
  }
  CHECK(equal == all);
}

TEST_CASE("with a straggler, what exhaustive search finds") {
  for (std::uint64_t seed = 31; seed <= 45; ++seed) {
    CAPTURE(seed);
    const Iteration iteration = test::random_pipeline(seed, 2, 2, 3);
    const FixedTime until = policy::deadline_of(iteration, policy::DeadlineFrom::highest_clocks, 1.08);
    const auto least = exhaustive(iteration, until, until);
    REQUIRE(least);
    const PlanResult result = PipelineSlack().plan_for_straggler(iteration, until);
    CHECK(replay(iteration, result.plan, until).total() == *least);
    CHECK(result.bound_joules.value() <= least->units());
  }
}

TEST_CASE("more time never costs energy, and beyond the least-energy makespan none is used") {
  const Iteration iteration = test::random_pipeline(7, 4, 6, 5);
  const FixedTime highest = policy::deadline_of(iteration, policy::DeadlineFrom::highest_clocks, 1);
  double last = 1e300, last_bound = 1e300;
  for (const double factor : {1.0, 1.02, 1.05, 1.1, 1.2, 1.5, 3.0, 10.0}) {
    CAPTURE(factor);
    const PlanResult result = PipelineSlack().plan(iteration, factor == 1 ? highest : FixedTime::from_units(factor * highest.units()));
    const double joules = replay(iteration, result.plan).total().units();
    CHECK(*result.bound_joules <= last_bound * (1 + 1e-12));
    CHECK(joules >= *result.bound_joules);
    CHECK(joules <= *result.bound_joules * 1.01);
    CHECK(joules <= last * 1.002);  // rounding may lose a little between deadlines
    last = joules;
    last_bound = *result.bound_joules;
  }
  CHECK(PipelineSlack().plan(iteration, FixedTime::from_units(100 * highest.units())).plan ==
        PipelineSlack().plan(iteration, FixedTime::from_units(10 * highest.units())).plan);
}

TEST_CASE("where the highest clock is not the fastest, the two deadlines differ and both are kept") {
  // 1380 MHz takes less time than 1410.
  const Iteration iteration = test::pipeline({{{point(1410, 1.02, 12), point(1380, 1.0, 11), point(1200, 1.3, 8)}, {point(1410, 2, 20)}},
                                              {{point(1410, 1.02, 12), point(1380, 1.0, 11), point(1200, 1.3, 8)}, {point(1410, 2, 20)}}},
                                             3, 1);
  const FixedTime highest = policy::deadline_of(iteration, policy::DeadlineFrom::highest_clocks, 1);
  const FixedTime fastest = policy::deadline_of(iteration, policy::DeadlineFrom::shortest_points, 1);
  CHECK(fastest < highest);
  const PlanResult at_highest = PipelineSlack().plan(iteration, highest);
  const PlanResult at_fastest = PipelineSlack({1, policy::DeadlineFrom::shortest_points}).plan(iteration, highest);
  CHECK(replay(iteration, at_highest.plan).makespan <= highest);
  CHECK(replay(iteration, at_fastest.plan).makespan == fastest);
  CHECK(replay(iteration, at_highest.plan).total() <= replay(iteration, at_fastest.plan).total());
}

TEST_CASE("a deadline that no plan keeps: the fastest there is, and no bound") {
  const Iteration iteration = test::random_pipeline(3, 3, 4, 4);
  const FixedTime fastest = policy::deadline_of(iteration, policy::DeadlineFrom::shortest_points, 1);
  const PlanResult result = PipelineSlack().plan(iteration, FixedTime::from_units(0.5 * fastest.units()));
  CHECK(replay(iteration, result.plan).makespan == fastest);
  CHECK_FALSE(result.bound_joules);
}

TEST_CASE("max_slowdown_factor gives the deadline more time") {
  const Iteration iteration = test::random_pipeline(9, 3, 4, 5);
  const FixedTime highest = policy::deadline_of(iteration, policy::DeadlineFrom::highest_clocks, 1);
  const PlanResult relaxed = PipelineSlack({1.1, policy::DeadlineFrom::highest_clocks}).plan(iteration, highest);
  CHECK(relaxed.plan == PipelineSlack().plan(iteration, FixedTime::from_units(1.1 * highest.units())).plan);
}

TEST_CASE("effective cost: dominated points fall out, the hull is convex") {
  // c = e - 10 t: 90, 85, 84, 86, 60. (3, 86) is dominated; (1.5, 85) lies on the line from (1, 90) to (4, 60), (2, 84) above it.
  const std::vector<OperatingPoint> points = {point(5, 1, 100), point(4, 1.5, 100), point(3, 2, 104), point(2, 3, 116), point(1, 4, 100)};
  const policy::EffectiveCost cost = policy::effective_cost(points, Watts(10));
  const auto positions = [](const std::vector<policy::EffectivePoint>& list) {
    std::vector<int> all;
    for (const auto& each : list) all.push_back(each.point);
    return all;
  };
  CHECK(positions(cost.all) == std::vector<int>{0, 1, 2, 3, 4});
  CHECK(positions(cost.best) == std::vector<int>{0, 1, 2, 4});
  CHECK(positions(cost.hull) == std::vector<int>{0, 4});
  CHECK(cost.best[1].joules == Approx(85));
}
