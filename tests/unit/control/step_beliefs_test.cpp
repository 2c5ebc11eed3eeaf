// What is believed of steps from profiling them: lines through steps that lie on lines.
#include <catch2/catch.hpp>
#include <vector>

#include "control/clock_belief.hpp"
#include "control/service_belief.hpp"

using namespace joulecast;
using namespace joulecast::control;

TEST_CASE("a replica of one sequence is profiled: where all steps have one count it has no figure of its own") {
  std::vector<ClockedStep> steps;
  for (const double context : {256, 1024, 4096}) steps.push_back({1, context, 0, 0.01 + 1e-6 * context, 5 + 1e-4 * context});
  for (const double tokens : {128, 256, 512}) steps.push_back({0, 0, tokens, 0.002 + 1e-5 * tokens, 1 + 0.01 * tokens});
  double worst = 0;
  const ClockPoint point = fit_clock_point(Hertz(1e9), steps, worst);
  CHECK(worst < 1e-9);
  CHECK(point.decode_s(1, 2000) == Approx(0.012));
  CHECK(point.decode_j(1, 2000) == Approx(5.2));
  CHECK(point.decode_seconds[1] == 0);

  std::vector<ProfiledStep> profiled;
  for (const double context : {256, 1024, 4096}) profiled.push_back({1, context, 0.01 + 1e-6 * context, 5 + 1e-4 * context});
  std::vector<ProfiledPrompt> prompts;
  for (const double tokens : {64, 128, 256, 512}) prompts.push_back({tokens, 0.002 + 1e-5 * tokens, 1 + 0.01 * tokens});
  const ServiceBelief belief = fit_service_belief(profiled, prompts, 100);
  CHECK(belief.step_seconds.at(1, 2000) == Approx(0.012));
  CHECK(belief.step_joules.at(1, 2000) == Approx(5.2));
  CHECK(belief.step_seconds.a_sequence == 0);
}

TEST_CASE("a request takes as many steps as its tokens need: fewer where a step gives several") {
  ServiceBelief belief;
  belief.step_seconds = {0.01, 0, 0};
  belief.step_joules = {5, 0.2, 0};
  belief.prompt_joules = {0, 0.05, 0};
  CHECK(belief.added_joules(1000, 300, 8, 1000) == Approx(50 + 300 * 0.2));
  belief.tokens_a_step = 2.5;
  CHECK(belief.added_joules(1000, 300, 8, 1000) == Approx(50 + 120 * 0.2));
}
