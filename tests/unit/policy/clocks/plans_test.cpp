// The plain planners, the frontier, and the list that runtime clients take.
#include <catch2/catch.hpp>

#include "policy/clocks/clock_export.hpp"
#include "policy/clocks/envpipe.hpp"
#include "policy/clocks/fixed_clock.hpp"
#include "policy/clocks/kernel_planner.hpp"
#include "policy/clocks/pipeline_slack.hpp"
#include "policy/clocks/slack_frontier.hpp"
#include "unit/policy/clocks/pipelines.hpp"

using namespace joulecast;
using namespace joulecast::training;
using policy::DeadlineFrom;
using policy::EnvPipe;
using policy::MaxClock;
using policy::SlackFrontier;
using policy::StaticClock;
using test::point;

namespace {

FixedTime highest(const Iteration& iteration) { return replay(iteration, {}).makespan; }
Plan all_at(const Iteration& iteration, std::int32_t point) { return Plan(iteration.operations.size(), point); }

}  // namespace

TEST_CASE("max_clock: the first point everywhere") {
  const Iteration iteration = test::random_pipeline(1, 3, 4, 4);
  CHECK(MaxClock().plan(iteration, highest(iteration)).plan == all_at(iteration, 0));
}

TEST_CASE("static_clock: the one that was asked for, or the best within the deadline") {
  const Iteration iteration = test::random_pipeline(2, 3, 4, 5);
  CHECK(StaticClock(Hertz(1300e6)).plan(iteration, highest(iteration)).plan == all_at(iteration, 2));
  CHECK(StaticClock().plan(iteration, highest(iteration)).plan == all_at(iteration, 0));  // every lower clock is slower
  const Plan free = StaticClock().plan(iteration, FixedTime::from_units(1e6)).plan;
  for (int i = 0; i < 5; ++i) CHECK(replay(iteration, free).total() <= replay(iteration, all_at(iteration, i)).total());
  CHECK_THROWS_AS(StaticClock(Hertz(1310e6)).plan(iteration, highest(iteration)), UserError);
}

TEST_CASE("envpipe: on equal stages the envelope is full, the inside at least energy where that is free") {
  // 3 equal stages, 4 microbatches, F = B = 1 s; half the clock takes 1.01 s and half the energy.
  const test::Points pass = {point(2, 1, 10), point(1, 1.01, 5)};
  const Iteration iteration = test::pipeline({{pass, pass}, {pass, pass}, {pass, pass}}, 4, 1);
  const PlanResult result = EnvPipe().plan(iteration, highest(iteration));
  CHECK(replay(iteration, result.plan).makespan == highest(iteration));
  int slow = 0;
  for (std::size_t i = 0; i < result.plan.size(); ++i) {
    const Operation& operation = iteration.operations[i];
    const bool outer = operation.stage == 2 || (operation.pass == Pass::forward && operation.microbatch == 0) ||
                       (operation.pass == Pass::backward && operation.microbatch == 3);
    if (outer) CHECK(result.plan[i] == 0);
    slow += result.plan[i];
  }
  CHECK(slow > 0);
  CHECK_FALSE(result.bound_joules);
  CHECK(replay(iteration, result.plan).total() < replay(iteration, {}).total());
}

TEST_CASE("envpipe keeps the deadline that highest clocks keep, and saves no more than the bound") {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    CAPTURE(seed);
    const Iteration iteration = test::random_pipeline(seed, 4, 8, 6);
    const Plan plan = EnvPipe().plan(iteration, highest(iteration)).plan;
    CHECK(replay(iteration, plan).makespan <= highest(iteration));
    const PlanResult slack = policy::PipelineSlack().plan(iteration, highest(iteration));
    CHECK(replay(iteration, plan).total().units() >= *slack.bound_joules);
  }
}

TEST_CASE("kernel_dvfs on operations: a knapsack a stage, never slower than allowed") {
  const Iteration alone = test::random_pipeline(4, 1, 6, 6, 1e-9);  // one stage: no waiting, makespan = sum
  const PlanResult global = policy::KernelDvfs({policy::KernelDvfsOptions::Goal::global, 0.1}).plan(alone, highest(alone));
  CHECK(replay(alone, global.plan).makespan.units() <= 1.1 * highest(alone).units() * (1 + 1e-9));
  const PlanResult local = policy::KernelDvfs({policy::KernelDvfsOptions::Goal::local, 0.1}).plan(alone, highest(alone));
  CHECK(replay(alone, global.plan).total() <= replay(alone, local.plan).total());
  CHECK(replay(alone, local.plan).total() < replay(alone, {}).total());
  const Iteration pipe = test::random_pipeline(5, 4, 8, 6);
  const PlanResult tight = policy::KernelDvfs({policy::KernelDvfsOptions::Goal::global, 0}).plan(pipe, highest(pipe));
  CHECK(replay(pipe, tight.plan).makespan.units() <= highest(pipe).units() * (1 + 1e-9));
}

TEST_CASE("frontier: deadlines kept, bounds below, energy falls to where slowing down ends") {
  const Iteration iteration = test::random_pipeline(11, 4, 8, 6);
  const SlackFrontier frontier(iteration, highest(iteration), 12);
  REQUIRE(frontier.points().size() == 12);
  CHECK(frontier.points().front().deadline == highest(iteration));
  for (const policy::FrontierPoint& point : frontier.points()) {
    const Replay replayed = replay(iteration, point.plan, point.deadline);
    CHECK(replay(iteration, point.plan).makespan == point.makespan);
    CHECK(point.makespan <= point.deadline);
    CHECK(replayed.total().units() >= point.bound_joules * (1 - 1e-12));
    CHECK(replayed.total().units() <= point.bound_joules * 1.02);
  }
  // At the last deadline every operation is at its point of least effective cost.
  CHECK(frontier.points().back().joules == Approx(frontier.points().back().bound_joules));
  CHECK(frontier.within(highest(iteration)) == &frontier.points().front());
  CHECK(frontier.within(FixedTime::from_units(0.5 * highest(iteration).units())) == nullptr);
}

TEST_CASE("a straggler's plan is looked up: within its end, close to the plan made for it alone") {
  const Iteration iteration = test::random_pipeline(12, 4, 8, 6);
  const SlackFrontier frontier(iteration, highest(iteration), 25);
  for (const double factor : {1.0, 1.03, 1.1, 1.4, 3.0}) {
    CAPTURE(factor);
    const FixedTime until = factor == 1 ? highest(iteration) : FixedTime::from_units(factor * highest(iteration).units());
    const Replay looked_up = replay(iteration, frontier.for_straggler(until), until);
    CHECK(looked_up.makespan <= until);
    const PlanResult alone = policy::PipelineSlack().plan_for_straggler(iteration, until);
    CHECK(looked_up.total().units() <= replay(iteration, alone.plan, until).total().units() * 1.01);
    CHECK(looked_up.total().units() >= alone.bound_joules.value() * (1 - 1e-9));
  }
}

TEST_CASE("exported clocks: stage by stage in running order") {
  const Iteration iteration = test::pipeline({{{point(1410, 1, 1), point(1200, 2, 1)}, {point(1410, 1, 1)}}}, 2, 1);
  Plan plan(4, 0);
  plan[0] = 1;
  const auto list = policy::clock_list(iteration, plan);
  REQUIRE(list.size() == 1);
  CHECK(policy::clock_list_csv(list) ==
        "stage,instruction,chunk,microbatch,frequency\n"
        "0,forward,0,0,1200\n"
        "0,backward,0,0,1410\n"
        "0,forward,0,1,1410\n"
        "0,backward,0,1,1410\n");
}
