// Paired differences and their intervals, by hand.
#include "study/paired.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

using namespace joulecast::study;

// d = 1, 2, 3: mean 2, s = 1, t(95 %, 2) = 4.302653; of the mean the half-width is t / sqrt(3), of a bootstrap t.
TEST_CASE("draws give Student's interval of the mean difference, blocks the bootstrap's standard interval about the run on the trace itself") {
  const std::vector<double> reference = {10, 20, 40}, arm = {11, 22, 43};
  const Difference draws = paired(arm, reference, 11, 10, Spread::draws, 0.95);
  CHECK(draws.absolute.value == Approx(2));
  CHECK(*draws.absolute.high - 2 == Approx(4.302652730 / std::sqrt(3)));
  CHECK(2 - *draws.absolute.low == Approx(4.302652730 / std::sqrt(3)));
  CHECK(draws.verdict == Verdict::within_noise);
  CHECK(draws.relative->value == Approx(2 / (70.0 / 3)));
  const Difference blocks = paired(arm, reference, 10.5, 10, Spread::blocks, 0.95);
  CHECK(blocks.absolute.value == Approx(0.5));
  CHECK(*blocks.absolute.high - 0.5 == Approx(4.302652730));
  CHECK(blocks.relative->value == Approx(0.05));
}

TEST_CASE("what both arms share cancels: the interval is of the differences, not of the figures") {
  const std::vector<double> reference = {100, 200, 300, 400}, arm = {101, 201.1, 300.9, 401};
  const Difference difference = paired(arm, reference, 101, 100, Spread::draws, 0.95);
  CHECK(difference.verdict == Verdict::higher);
  CHECK(*difference.absolute.low > 0.85);
  CHECK(*estimate(arm, 101, Spread::draws, 0.95).low < 60);
  CHECK(paired(reference, arm, 100, 101, Spread::draws, 0.95).verdict == Verdict::lower);
}

TEST_CASE("an arm that is the reference differs by exactly 0, one run says nothing of noise, and nothing is relative to 0") {
  const std::vector<double> values = {0.1, 0.7, 0.3}, one = {2}, other = {3}, zero = {0, 0, 0};
  const Difference same = paired(values, values, 0.1, 0.1, Spread::draws, 0.95);
  CHECK(same.verdict == Verdict::same);
  CHECK(same.absolute.value == 0);
  CHECK(*same.absolute.low == 0);
  CHECK(*same.absolute.high == 0);
  const Difference untested = paired(other, one, 3, 2, Spread::none, 0.95);
  CHECK(untested.verdict == Verdict::untested);
  CHECK(untested.absolute.value == 1);
  CHECK_FALSE(untested.absolute.low);
  CHECK_FALSE(paired(values, zero, 0.1, 0, Spread::draws, 0.95).relative);
}
