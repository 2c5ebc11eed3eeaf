#include "metering/meter.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <numeric>
#include <vector>

#include "base/error.hpp"
#include "base/philox.hpp"

using namespace joulecast;
using namespace joulecast::metering;

namespace {

FixedTime seconds(double s) { return FixedTime::from_units(s); }
FixedEnergy joules(double j) { return FixedEnergy::from_units(j); }

std::int64_t total(const std::vector<std::int64_t>& bins) { return std::accumulate(bins.begin(), bins.end(), std::int64_t{0}); }

bool same(const Meter& a, const Meter& b) {
  for (int s = 0; s < kStates; ++s) {
    const auto state = static_cast<State>(s);
    if (a.joules(state) != b.joules(state) || a.seconds(state) != b.seconds(state) || a.bins(state) != b.bins(state)) return false;
  }
  return a.covered() == b.covered();
}

}  // namespace

// 100 W for 2.5 s in bins of 1 s: 100 J, 100 J and, in the running bin, 50 J.
TEST_CASE("constant power fills its bins evenly, the running one included") {
  Meter meter("gpu", 1, span_from_seconds(1));
  meter.add(State::context_idle, {}, seconds(2.5), joules(250));
  CHECK(meter.bins(State::context_idle) == std::vector<std::int64_t>{100'000'000'000, 100'000'000'000, 50'000'000'000});
  CHECK(meter.joules(State::context_idle) == joules(250));
  CHECK(meter.covered() == seconds(2.5));
  meter.add(State::active, seconds(2.5), seconds(3), joules(200));
  CHECK(meter.bins(State::active) == std::vector<std::int64_t>{0, 0, 200'000'000'000});
  CHECK(meter.bins(State::bare_idle).empty());
}

// Two steps of 0.75 s, 3 J and 6 J: at 1 s the first is whole and a third of the second done, 3 + 2 J.
TEST_CASE("a boundary inside a step splits the step's energy by time") {
  Meter meter("gpu", 1, span_from_seconds(1));
  meter.add_steps(State::active, {}, 2, {seconds(0.75), {}}, {joules(3), joules(3)});
  CHECK(meter.bins(State::active) == std::vector<std::int64_t>{5'000'000'000, 4'000'000'000});
}

// A thirtieth of a joule a step is no whole number of nanojoules; bins still add up to the state's nanojoules.
TEST_CASE("bins add up to the state however often the meter is told") {
  Meter meter("gpu", 1, span_from_seconds(0.01));
  FixedTime at;
  for (int i = 0; i < 1000; ++i) {
    const FixedTime next = at + seconds(0.0037);
    meter.add(State::active, at, next, joules(1.0 / 30));
    at = next;
  }
  CHECK(total(meter.bins(State::active)) == meter.joules(State::active).floor_nano());
  CHECK(meter.bins(State::active).size() == 370);
}

TEST_CASE("k steps at once are k calls, to the bit") {
  Stream random(7, "meter", "property");
  for (int round = 0; round < 300; ++round) {
    const double bin = std::vector<double>{0.00071, 0.01, 1, 37}[random.below(4)];
    Meter at_once("gpu", 4, span_from_seconds(bin)), one_by_one("gpu", 4, span_from_seconds(bin));
    FixedTime at;
    for (int stretch = 0; stretch < 12; ++stretch) {
      const auto state = static_cast<State>(random.below(kStates));
      const auto steps = static_cast<std::int64_t>(1 + random.below(200));
      const double first = 1e-4 + 0.02 * random.uniform();
      const double grow =
          random.below(3) == 0 ? 0 : (random.below(4) == 0 ? -0.9 * first / static_cast<double>(steps) : 0.1 * first * random.uniform());
      const Progression<SecondsTag> duration{seconds(first), seconds(grow)};
      const Progression<JoulesTag> energy{joules(2000 * first * random.uniform()), joules(3 * random.uniform() * first)};
      at_once.add_steps(state, at, steps, duration, energy);
      FixedTime start = at;
      for (std::int64_t j = 0; j < steps; ++j) {
        one_by_one.add(state, start, start + duration.at(j), energy.at(j));
        start += duration.at(j);
      }
      at += duration.sum(steps);
    }
    REQUIRE(same(at_once, one_by_one));
    for (int s = 0; s < kStates; ++s) {
      const auto state = static_cast<State>(s);
      REQUIRE(total(at_once.bins(state)) == at_once.joules(state).floor_nano());
    }
    REQUIRE(static_cast<double>(at_once.bins(State::active).size()) <= at.units() / bin + 1);
  }
}

// A stretch told in two pieces at a step's border: the running bin is open across the pieces.
TEST_CASE("a stretch told in pieces gives the bins of the whole") {
  const Progression<SecondsTag> duration{seconds(0.013), seconds(1e-5)};
  const Progression<JoulesTag> energy{joules(1.1), joules(0.003)};
  Meter whole("gpu", 1, span_from_seconds(0.1)), pieces("gpu", 1, span_from_seconds(0.1));
  whole.add_steps(State::active, {}, 100, duration, energy);
  pieces.add_steps(State::active, {}, 37, duration, energy);
  pieces.add_steps(State::active, duration.sum(37), 63, {duration.at(37), duration.grow}, {energy.at(37), energy.grow});
  CHECK(same(whole, pieces));
}

TEST_CASE("an interval on a boundary belongs to the bin that it lies in") {
  Meter meter("gpu", 1, span_from_seconds(1));
  meter.add(State::active, {}, seconds(1), joules(5));
  CHECK(meter.bins(State::active) == std::vector<std::int64_t>{5'000'000'000});
  meter.add(State::active, seconds(1), seconds(2), joules(7));
  CHECK(meter.bins(State::active) == std::vector<std::int64_t>{5'000'000'000, 7'000'000'000});
}

TEST_CASE("a gap, an overlap and energy in no time are our bugs") {
  Meter meter("gpu", 1, span_from_seconds(1));
  meter.add(State::active, {}, seconds(0.5), joules(5));
  CHECK_THROWS_AS(meter.add(State::active, seconds(0.6), seconds(0.7), joules(1)), Bug);
  CHECK_THROWS_AS(meter.add(State::active, seconds(0.4), seconds(0.7), joules(1)), Bug);
  CHECK_THROWS_AS(meter.add(State::active, seconds(0.5), seconds(0.5), joules(1)), Bug);
  CHECK_THROWS_AS(meter.add(State::active, seconds(0.5), seconds(0.4), joules(1)), Bug);
  CHECK_THROWS_AS(meter.add_steps(State::active, seconds(0.5), 3, {seconds(0.1), seconds(-0.06)}, {joules(1), {}}), Bug);
  meter.add(State::active, seconds(0.5), seconds(0.5), joules(0));
  meter.add_steps(State::active, seconds(0.5), 0, {seconds(0.1), {}}, {joules(1), {}});
  CHECK(meter.joules(State::active) == joules(5));
}
