#include "base/fixed.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <vector>

#include "base/philox.hpp"

using namespace joulecast;

TEST_CASE("a fixed-point sum does not depend on the order of its terms") {
  Stream random(7, "terms", "test");
  std::vector<FixedEnergy> terms;
  for (int i = 0; i < 5000; ++i) terms.push_back(FixedEnergy::from_units((random.uniform() - 0.3) * std::pow(10.0, 12 * random.uniform() - 6)));
  FixedEnergy forward;
  for (const FixedEnergy term : terms) forward += term;
  for (std::size_t i = terms.size(); i > 1; --i) std::swap(terms[i - 1], terms[random.below(i)]);
  FixedEnergy shuffled;
  for (const FixedEnergy term : terms) shuffled += term;
  CHECK((forward == shuffled));

  // Pairs first, as a parallel reduction would.
  std::vector<FixedEnergy> level = terms;
  while (level.size() > 1) {
    std::vector<FixedEnergy> next;
    for (std::size_t i = 0; i + 1 < level.size(); i += 2) next.push_back(level[i] + level[i + 1]);
    if (level.size() % 2 == 1) next.push_back(level.back());
    level = next;
  }
  CHECK((level.front() == forward));
}

TEST_CASE("the sum of a progression equals the loop over its steps") {
  Stream random(11, "progression", "test");
  for (int round = 0; round < 200; ++round) {
    const Progression<SecondsTag> steps{FixedTime::from_units(random.uniform() * 0.1), FixedTime::from_units((random.uniform() - 0.5) * 1e-6)};
    const auto count = static_cast<std::int64_t>(random.below(400));
    FixedTime sum;
    for (std::int64_t k = 0; k < count; ++k) sum += steps.at(k);
    REQUIRE((sum == steps.sum(count)));
    // Cut anywhere, the two parts are the whole.
    const auto cut = static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(count) + 1));
    const Progression<SecondsTag> rest{steps.at(cut), steps.grow};
    REQUIRE((steps.sum(cut) + rest.sum(count - cut) == sum));
  }
}

TEST_CASE("share() gives nothing at the start, all at the end, and never more than the whole between") {
  const FixedEnergy whole = FixedEnergy::from_units(6.5e11);
  const FixedTime span = FixedTime::from_units(3.3e9);
  CHECK((share(whole, FixedTime{}, span) == FixedEnergy{}));
  CHECK((share(whole, span, span) == whole));
  FixedEnergy last;
  for (int i = 1; i <= 1000; ++i) {
    const FixedEnergy part = share(whole, FixedTime{span.raw / 1000 * i}, span);
    REQUIRE((part >= last));
    REQUIRE((part <= whole));
    last = part;
  }
  CHECK((share(whole, FixedTime{span.raw / 2}, span) == FixedEnergy{whole.raw / 2}));
  const FixedEnergy small = {7};
  CHECK((share(small, FixedTime{1}, FixedTime{2}) == FixedEnergy{3}));
  CHECK((share(FixedEnergy{-7}, FixedTime{1}, FixedTime{2}) == FixedEnergy{-4}));
}

// For x = floor(v p / w): x w <= v p < (x + 1) w, checked with factors whose products fit; both ways of dividing must meet it.
TEST_CASE("share() is the floor of the exact quotient on both sides of its limit") {
  Stream random(13, "share", "test");
  for (int round = 0; round < 2000; ++round) {
    const int128 factor = int128{1} << (round % 2 == 0 ? 0 : 50);  // shifts the same question to beyond 2^63
    const auto whole = static_cast<int128>(1 + random.below(1ULL << 40));
    const auto part = static_cast<int128>(random.below(static_cast<std::uint64_t>(whole) + 1));
    const auto value = static_cast<int128>(random.below(1ULL << 60));
    const FixedEnergy got = share(FixedEnergy{value}, FixedTime{part * factor}, FixedTime{whole * factor});
    REQUIRE((got.raw * whole <= value * part));
    REQUIRE((value * part < (got.raw + 1) * whole));
  }
}

TEST_CASE("fixed point to nanoseconds rounds down, also below zero") {
  CHECK(FixedTime::from_nano(5).floor_nano() == 5);
  CHECK((FixedTime::from_nano(5) - FixedTime{1}).floor_nano() == 4);
  CHECK((FixedTime{} - FixedTime{1}).floor_nano() == -1);
  CHECK((to_fixed(Time{123}) == FixedTime::from_nano(123)));
  CHECK(FixedEnergy::from_units(1.5).units() == 1.5);
}
