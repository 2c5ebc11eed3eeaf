// Policies that choose a pool's clocks, on beliefs whose best clock is known.
#include <catch2/catch.hpp>

#include "policy/control_registry.hpp"

using namespace joulecast;
using control::ClockFacts;
using control::ReplicaState;

namespace {

/// Times a + b/f at f of 1 GHz, 2 GHz: decode hardly slows down, prompts do; joules 10 % less at 1 GHz for decode, 20 % more for prompts.
ClockFacts facts() {
  ClockFacts facts;
  facts.pool = "chat";
  facts.given = {Hertz(2e9), Hertz(2e9)};
  facts.max_num_seqs = 64;
  control::ClockPoint low, high;
  low.clock = Hertz(1e9);
  high.clock = Hertz(2e9);
  const auto set = [](double* to, double constant, double slope, double context) {
    to[0] = constant;
    to[1] = slope;
    to[2] = context;
  };
  set(high.decode_seconds, 0.020, 0.0001, 1e-7);
  set(low.decode_seconds, 0.0208, 0.000104, 1.04e-7);
  set(high.decode_joules, 10, 0.05, 1e-4);
  set(low.decode_joules, 9, 0.045, 0.9e-4);
  high.prompt_seconds[0] = 0.005, high.prompt_seconds[1] = 0.0001;
  low.prompt_seconds[0] = 0.005, low.prompt_seconds[1] = 0.0002;
  high.prompt_joules[0] = 1, high.prompt_joules[1] = 0.05;
  low.prompt_joules[0] = 1, low.prompt_joules[1] = 0.06;
  facts.belief.points = {low, high};
  return facts;
}

std::unique_ptr<control::ClockController> made(const char* name, const ClockFacts& facts, const char* toml = "") {
  config::Diagnostics diagnostics;
  const config::Node node = config::parse_text(toml, "policy");
  auto controller = policy::find_clock_control(name)->make(&node, facts, diagnostics);
  diagnostics.throw_if_failed();
  return controller;
}

}  // namespace

TEST_CASE("phase_lock lowers the phase whose joules fall within the slowdown, and leaves the other one") {
  const auto chosen = made("phase_lock", facts());
  CHECK(chosen->first().decode == Hertz(1e9));
  CHECK(chosen->first().prefill == Hertz(2e9));
  CHECK_FALSE(chosen->period().has_value());
  // 4 % slower is more than 3 %.
  CHECK(made("phase_lock", facts(), "max_slowdown = 0.03")->first().decode == Hertz(2e9));
  CHECK(made("phase_lock", facts(), "decode = \"1500 MHz\"")->first().decode == Hertz(1500e6));
}

TEST_CASE("slo_dvfs takes the low clock while the projected step holds the limit, and the given one where it does not") {
  ClockFacts known = facts();
  known.limits.tpot_s = 0.030;
  const auto controller = made("slo_dvfs", known);
  REQUIRE(controller->period() == Span{1'000'000'000});
  ReplicaState now, before;
  now.running = 10;
  now.decodes = 10;
  now.context = 5000;
  // 20.8 + 1.04 + 0.52 ms is below 27 ms.
  CHECK(controller->decide(now, before).decode == Hertz(1e9));
  CHECK(controller->decide(now, before).prefill == Hertz(2e9));
  // Prompts that take 16 % of the time stretch each token: 22.73/(1 - 0.16) = 27.06 ms, and 26.02 ms at the high clock.
  now.requests_arrived = 2;
  now.prompt_tokens_arrived = 1600;
  CHECK(controller->decide(now, before).decode == Hertz(2e9));
}

TEST_CASE("slo_dvfs: a step that gives several tokens may take as many times the TPOT") {
  ClockFacts known = facts();
  known.limits.tpot_s = 0.015;  // a step takes 21 ms
  const ReplicaState idle{};
  CHECK(made("slo_dvfs", known)->decide(idle, idle).decode == Hertz(2e9));
  known.belief.tokens_a_step = 2;
  CHECK(made("slo_dvfs", known)->decide(idle, idle).decode == Hertz(1e9));
}

TEST_CASE("slo_dvfs refuses a pool without limits of latency") {
  const config::Node node = config::parse_text("", "policy");
  config::Diagnostics diagnostics;
  CHECK(policy::find_clock_control("slo_dvfs")->make(&node, facts(), diagnostics) == nullptr);
  CHECK(diagnostics.failed());
}
