// How a tolerance is read, and what it lets pass: |ours - expected| <= share * |expected|, or points, or a range, or standard errors of the mean.
#include "validation/tolerance.hpp"

#include <catch2/catch.hpp>

using namespace joulecast::validation;

namespace {

bool holds(const char* tolerance, Ours ours, double expected, const char* unit = "s") {
  const auto parsed = parse_tolerance(tolerance);
  REQUIRE(parsed);
  return parsed->holds(ours, expected, unit);
}

}  // namespace

TEST_CASE("a bare tolerance is relative, bounds included") {
  CHECK(holds("8 %", {108}, 100));
  CHECK(holds("8 %", {92}, 100));
  CHECK_FALSE(holds("8 %", {108.01}, 100));
  CHECK_FALSE(holds("8 %", {91.99}, 100));
  CHECK(holds("8 %", {-92}, -100));
  CHECK(holds("1e-6", {1 + 0.9e-6}, 1));
  CHECK_FALSE(holds("1e-6", {1 + 1.1e-6}, 1));
  CHECK(holds("0", {19366}, 19366));
  CHECK_FALSE(holds("0", {19367}, 19366));
}

TEST_CASE("where the row is an error in percent, the expected is 0 and the tolerance is in percent") {
  CHECK(holds("4 %", {3.9}, 0, "%"));
  CHECK_FALSE(holds("4 %", {4.1}, 0, "%"));
}

TEST_CASE("points are absolute") {
  CHECK(holds("0.05 points", {-1.94}, -1.98, "%"));
  CHECK_FALSE(holds("0.05 points", {-1.92}, -1.98, "%"));
  CHECK(holds("1 point", {-4}, -4.7, "%"));
}

TEST_CASE("a range has a lower and an upper side") {
  CHECK(holds("-0.3 +0 points", {15.8}, 16.0591, "%"));
  CHECK(holds("-0.3 +0 points", {16.0591}, 16.0591, "%"));
  CHECK_FALSE(holds("-0.3 +0 points", {16.06}, 16.0591, "%"));
  CHECK_FALSE(holds("-0.3 +0 points", {15.7}, 16.0591, "%"));
  CHECK(holds("-1 +2 %", {102}, 100));
  CHECK_FALSE(holds("-1 +2 %", {98.9}, 100));
}

TEST_CASE("standard errors are those of the figure itself") {
  CHECK(holds("3 standard errors of 30 replications", {4.29, 0.1}, 4));
  CHECK_FALSE(holds("3 standard errors of 30 replications", {4.31, 0.1}, 4));
}

TEST_CASE("NaN passes nothing") { CHECK_FALSE(holds("8 %", {0.0 / 0.0}, 100)); }

TEST_CASE("what is no tolerance is not read as one") {
  for (const char* text : {"", "%", "about 3 %", "3 percent", "-3 %", "+1 -2 %", "3 % or so"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_tolerance(text));
  }
}
