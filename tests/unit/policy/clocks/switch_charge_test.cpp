// What a plan costs where clock changes take time: worked by hand on one stage and on two.
#include "policy/clocks/switch_charge.hpp"

#include <catch2/catch.hpp>

#include "policy/clocks/pipeline_slack.hpp"
#include "unit/policy/clocks/pipelines.hpp"

using namespace joulecast;
using namespace joulecast::training;
using policy::charge_switches;
using policy::Charged;
using policy::ChargeOptions;
using test::point;

namespace {

ChargeOptions latency(double seconds) {
  ChargeOptions options;
  options.latency = FixedTime::from_units(seconds);
  return options;
}

/// One stage, two microbatches: F0 B0 F1 B1, each 1 s at 2 MHz and 2 s at 1 MHz.
Iteration single() {
  const test::Points pass = {point(2, 1, 10), point(1, 2, 6)};
  return test::pipeline({{pass, pass}}, 2, 1);
}

}  // namespace

TEST_CASE("without latency a plan costs what it says, to the bit") {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    CAPTURE(seed);
    const Iteration iteration = test::random_pipeline(seed, 4, 6, 5);
    const FixedTime highest = replay(iteration, {}).makespan;
    const Plan plan = policy::PipelineSlack().plan(iteration, FixedTime::from_units(1.05 * highest.units())).plan;
    const Charged charged = charge_switches(iteration, plan, latency(0));
    const Replay free = replay(iteration, plan);
    CHECK(charged.achieved == plan);
    CHECK(charged.replay.makespan == free.makespan);
    CHECK(charged.replay.total() == free.total());
    CHECK(charged.late == 0);
  }
}

TEST_CASE("back to back, each operation runs at the clock of the one before") {
  // F0 slow, the rest fast; no waiting. Latency 0.5 s: F0 asks for 1 MHz when the iteration begins, at 2 MHz (B1's): it runs fast. B0 asks for
  // 2 MHz at 1 s; at its start the request of 0 s has come: slow. F1 starts at 3 s: fast again.
  const Charged charged = charge_switches(single(), {1, 0, 0, 0}, latency(0.5));
  CHECK(charged.achieved == Plan{0, 1, 0, 0});
  CHECK(charged.replay.makespan == FixedTime::from_units(5));
  CHECK(charged.changes == 2);
  CHECK(charged.late == 2);
}

TEST_CASE("a latency longer than operations delays clocks by as many") {
  // 1.5 s: asked for at 0 (1 MHz) and at 1 s (2 MHz). B0 starts at 1 s: still 2 MHz. F1 starts at 2 s: 1 MHz since 1.5 s, until 4 s. B1: 2 MHz since
  // 2.5 s.
  const Charged charged = charge_switches(single(), {1, 0, 0, 0}, latency(1.5));
  CHECK(charged.achieved == Plan{0, 0, 1, 0});
}

TEST_CASE("waiting before an operation counts towards the latency") {
  // Stage 0: F0 F1 B0 B1 of 1 s; stage 1 takes 3 s a pass. Stage 0 waits for B0 from 2 s (F1's end) to 7 s: a change within 5 s comes in time.
  const test::Points fast = {point(2, 1, 10), point(1, 2, 6)};
  const Iteration iteration = test::pipeline({{fast, fast}, {{point(2, 3, 30)}, {point(2, 3, 30)}}}, 2, 1);
  Plan plan(iteration.operations.size(), 0);
  std::size_t b0 = 0;
  while (!(iteration.operations[b0].stage == 0 && iteration.operations[b0].pass == Pass::backward)) ++b0;
  plan[b0] = 1;
  CHECK(charge_switches(iteration, plan, latency(5)).achieved[b0] == 1);
  CHECK(charge_switches(iteration, plan, latency(5.1)).achieved[b0] == 0);
}

TEST_CASE("one clock for all changes nothing, whatever the latency") {
  const Charged charged = charge_switches(single(), {1, 1, 1, 1}, latency(10));
  CHECK(charged.changes == 0);
  CHECK(charged.late == 0);
  CHECK(charged.replay.total() == replay(single(), {1, 1, 1, 1}).total());
}

TEST_CASE("a cap acts below the watts recorded, and not above") {
  // 10 W at 2 MHz, 3 W at 1 MHz.
  ChargeOptions options;
  options.stage_limit = Watts(10);
  CHECK(charge_switches(single(), {}, options).achieved == Plan{0, 0, 0, 0});
  options.stage_limit = Watts(9.99);
  CHECK(charge_switches(single(), {}, options).achieved == Plan{1, 1, 1, 1});
  options.stage_limit = Watts(1);  // below all: the least
  CHECK(charge_switches(single(), {}, options).achieved == Plan{1, 1, 1, 1});
}

TEST_CASE("a straggler's end is waited for") {
  ChargeOptions options;
  options.until = FixedTime::from_units(100);
  CHECK(charge_switches(single(), {}, options).replay.total() == replay(single(), {}, options.until).total());
}
