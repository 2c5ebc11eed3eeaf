#include <catch2/catch.hpp>
#include <string>

#include "schedule_pipelines.hpp"
#include "training/graph.hpp"
#include "training/replay.hpp"
#include "training/schedule_text.hpp"

using namespace joulecast;
using namespace joulecast::training;
using Catch::Contains;

// A message of d seconds lies in every one of the (P - 1) hops there and back of the first microbatch; with F = B the steady state of P = 2, M = 1
// has no other.
TEST_CASE("messages lengthen the pipeline's fill and drain") {
  IterationParts parts = equal_stages(4, 1, 1, 0.5, 0.5);
  parts.forward_message = time_of(0.1);
  parts.backward_message = time_of(0.2);
  const Iteration iteration = build_iteration(make_schedule(ScheduleKind::one_f_one_b, {4, 1, 1}), parts);
  CHECK(replay(iteration, {}).makespan == 4 * (time_of(1) + time_of(1)) + 3 * (time_of(0.1) + time_of(0.2)));
}

TEST_CASE("gradient synchronisation and optimizer come after a stage's passes") {
  IterationParts parts = equal_stages(2, 1, 1, 1, 1);
  parts.costs.push_back(one_point(0.25));
  parts.costs.push_back(one_point(0.5));
  for (StageKinds& stage : parts.stages) {
    stage.gradient_sync = 4;
    stage.optimizer = 5;
  }
  const Iteration iteration = build_iteration(make_schedule(ScheduleKind::one_f_one_b, {2, 3, 1}), parts);
  CHECK(iteration.operations.size() == 2 * (2 * 3 + 2));
  const Replay result = replay(iteration, {});
  CHECK(result.makespan == 4 * time_of(3) + time_of(0.75));
  for (std::size_t i = 0; i < iteration.operations.size(); ++i) {
    if (iteration.operations[i].pass == Pass::optimizer && iteration.operations[i].stage == 1)
      CHECK(result.start[i] == 3 * time_of(3) + time_of(1.25));
  }
}

// Stage 0 runs B0 before F1, stage 1 wants both forwards first: F1 of 0 waits for B0 of 0, that for B0 of 1, that for F1 of 1, that for F1 of 0.
TEST_CASE("a deadlock is named by its circle") {
  const Schedule schedule = parse_schedule({"F0 B0 F1 B1", "F0 F1 B0 B1"});
  const std::string fault = fault_of([&] { build_iteration(schedule, equal_stages(2, 1, 1, 1, 1)); });
  CHECK_THAT(fault, Contains("deadlock, a cyclic dependency") && Contains("B0 of stage 0 waits for B0 of stage 1") &&
                        Contains("B0 of stage 1 waits for F1 of stage 1") && Contains("F1 of stage 1 waits for F1 of stage 0") &&
                        Contains("F1 of stage 0 waits for B0 of stage 0"));
}

TEST_CASE("what a graph lacks is named") {
  const Schedule schedule = make_schedule(ScheduleKind::one_f_one_b, {3, 2, 1});
  IterationParts parts = equal_stages(3, 1, 1, 1, 1);
  parts.stages[1].chunks[0].forward = -1;
  CHECK_THAT(fault_of([&] { build_iteration(schedule, parts); }), Contains("stage 1 has no layers"));
  parts = equal_stages(3, 1, 1, 1, 1);
  parts.stages[2].chunks.clear();
  CHECK_THAT(fault_of([&] { build_iteration(schedule, parts); }), Contains("stage 2 has no layers"));
  parts = equal_stages(3, 1, 1, 1, 1);
  parts.stages[0].chunks[0].backward_weight = -1;
  CHECK_THAT(fault_of([&] {
               build_iteration(make_schedule(ScheduleKind::zero_bubble_h1, {3, 4, 1}), parts);
             }),
             Contains("no cost for W0 of stage 0"));
  Schedule short_of_one = schedule;
  short_of_one[1].erase(short_of_one[1].begin());
  CHECK_THAT(fault_of([&] { build_iteration(short_of_one, equal_stages(3, 1, 1, 1, 1)); }),
             Contains("dangling dependency") && Contains("waits for F0 of stage 1, which no stage runs"));
}

TEST_CASE("a graph made by hand is put in order or refused") {
  Iteration iteration;
  iteration.stages = 1;
  iteration.costs = {one_point(1)};
  iteration.blocking = {Watts(1)};
  iteration.operations = {{0, 0, 2, Pass::forward, 0}, {0, 0, 1, Pass::forward, 0}, {0, 0, 0, Pass::forward, 0}};
  iteration.dependencies = {{2, 1, {}}, {1, 0, {}}};
  order_topologically(iteration);
  for (std::int32_t i = 0; i < 3; ++i) CHECK(iteration.operations[static_cast<std::size_t>(i)].microbatch == i);
  CHECK(iteration.dependencies[0].before == 0);
  CHECK(iteration.dependencies[1].after == 2);
  CHECK(replay(iteration, {}).makespan == 3 * time_of(1));

  Iteration cyclic = iteration;
  cyclic.dependencies.push_back({2, 0, {}});
  CHECK_THAT(fault_of([&] { order_topologically(cyclic); }), Contains("cyclic dependency") && Contains("F0 of stage 0 waits for F2 of stage 0"));
  Iteration dangling = iteration;
  dangling.dependencies.push_back({0, 7, {}});
  CHECK_THAT(fault_of([&] { order_topologically(dangling); }), Contains("dangling dependency: from operation 0 to 7 where there are 3"));
  Iteration costless = iteration;
  costless.operations[1].kind = 4;
  CHECK_THAT(fault_of([&] { order_topologically(costless); }), Contains("F1 of stage 0 has no cost"));
  Iteration lost = iteration;
  lost.operations[1].stage = 1;
  CHECK_THAT(fault_of([&] { order_topologically(lost); }), Contains("is on none of 1 stages"));
}
