// Zeus's selectors on a table of four limits, and what a cap does to profiled operations.
#include "policy/clocks/power_limit.hpp"

#include <catch2/catch.hpp>

#include "unit/policy/clocks/pipelines.hpp"

using namespace joulecast;
using namespace joulecast::policy;
using test::point;

namespace {

/// limit W, s, J: energy least at 200 W, time least at 275 W (as noise has it).
const std::vector<PowerLimitPoint> kPoints = {{Watts(300), Seconds(10), Joules(2900)},
                                              {Watts(275), Seconds(9.9), Joules(2700)},
                                              {Watts(200), Seconds(11), Joules(2100)},
                                              {Watts(150), Seconds(15), Joules(2200)}};

}  // namespace

TEST_CASE("least energy and least time") {
  CHECK(least_energy(kPoints) == 2);
  CHECK(least_time(kPoints) == 1);
}

TEST_CASE("least cost: eta*energy + (1 - eta)*highest limit*time") {
  // eta 0: 300 W * time, so the least time; eta 1: energy.
  CHECK(least_cost(kPoints, 0) == 1);
  CHECK(least_cost(kPoints, 1) == 2);
  // eta 0.5: 2950, 2835, 2700, 3350. With 4 GPUs' worth of time: 7450, 7290, 7650, 10100.
  CHECK(least_cost(kPoints, 0.5) == 2);
  CHECK(least_cost(kPoints, 0.5, 4) == 1);
}

TEST_CASE("the lowest limit within a slowdown of the highest limit's time") {
  CHECK(lowest_within_slowdown(kPoints, 1.0) == 1);  // 9.9 s, not slower than 10 s
  CHECK(lowest_within_slowdown(kPoints, 1.1) == 2);
  CHECK(lowest_within_slowdown(kPoints, 1.49) == 2);
  CHECK(lowest_within_slowdown(kPoints, 1.5) == 3);
}

TEST_CASE("a cap lowers the clock of what draws more, and does nothing to the rest") {
  // Forward 10 W, 6 W; backward 5 W, 2 W.
  const training::Iteration iteration = test::pipeline({{{point(2, 1, 10), point(1, 1.5, 9)}, {point(2, 2, 10), point(1, 3, 6)}}}, 1, 1);
  CHECK(plan_under_cap(iteration, Watts(10)) == training::Plan{0, 0});
  CHECK(plan_under_cap(iteration, Watts(9)) == training::Plan{1, 0});
  CHECK(plan_under_cap(iteration, Watts(4)) == training::Plan{1, 1});
  CHECK(plan_under_cap(iteration, Watts(0.5)) == training::Plan{1, 1});
}

TEST_CASE("power_limit chooses by what the iteration takes") {
  training::Iteration iteration = test::pipeline({{{point(2, 1, 10), point(1, 1.5, 9)}, {point(2, 2, 10), point(1, 3, 6)}}}, 1, 1);
  iteration.gpus_per_stage = 2;  // limits are of one GPU
  PowerLimitOptions options;
  options.limits = {Watts(5), Watts(4.5), Watts(2)};
  // Joules 20, 19, 15 over 3, 3.5, 4.5 s.
  CHECK(PowerLimit(options).chosen(iteration).limit == Watts(2));
  CHECK(PowerLimit(options).plan(iteration, {}).plan == training::Plan{1, 1});
  options.selector = PowerLimitOptions::Selector::time;
  CHECK(PowerLimit(options).chosen(iteration).limit == Watts(5));
  options.selector = PowerLimitOptions::Selector::max_slowdown;
  options.max_slowdown_factor = 1.2;
  CHECK(PowerLimit(options).chosen(iteration).limit == Watts(4.5));
  options.selector = PowerLimitOptions::Selector::cost;
  options.eta_knob = 0.9;
  // 0.9*J + 0.1*10 W*s: 21, 20.6, 18.
  CHECK(PowerLimit(options).chosen(iteration).limit == Watts(2));
}
