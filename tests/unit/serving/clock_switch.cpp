#include "serving/clock_switch.hpp"

#include <catch2/catch.hpp>

#include "serving/step_cost.hpp"

using namespace joulecast;
using serving::Phase;
using ClockSwitch = serving::ClockSwitch<Phase>;

namespace {

FixedTime at(std::int64_t ns) { return FixedTime::from_nano(ns); }

}  // namespace

TEST_CASE("Without latency a step runs at the clock it wants") {
  ClockSwitch clock(Span{0}, Phase::decode);
  REQUIRE(clock.at_start(Phase::prefill, at(5)) == Phase::prefill);
  REQUIRE(clock.at_start(Phase::decode, at(6)) == Phase::decode);
  REQUIRE_FALSE(clock.pending());
}

TEST_CASE("A change acts from the first step that starts at or after its instant plus the latency") {
  ClockSwitch clock(Span{10}, Phase::decode);
  REQUIRE(clock.at_start(Phase::decode, at(0)) == Phase::decode);
  REQUIRE(clock.at_start(Phase::prefill, at(4)) == Phase::decode);
  REQUIRE(clock.pending());
  REQUIRE((clock.next_act() == at(14)));
  // Asked for decode again at 7: prefill acts from 14, decode from 17.
  REQUIRE(clock.at_start(Phase::decode, at(7)) == Phase::decode);
  REQUIRE(clock.at_start(Phase::decode, at(14)) == Phase::prefill);
  REQUIRE((clock.next_act() == at(17)));
  REQUIRE(clock.at_start(Phase::decode, at(17)) == Phase::decode);
  REQUIRE_FALSE(clock.pending());
}
