// How many may miss: the binomial law, against sums written out and published sample sizes.
#include "study/tail.hpp"

#include <catch2/catch.hpp>
#include <cmath>

using namespace joulecast::study;

TEST_CASE("none missing of n claims a share p with confidence 1 - p^n: the sample sizes of Wilks") {
  CHECK(least_requests(0.95, 0.95) == 59);
  CHECK(least_requests(0.99, 0.95) == 299);
  CHECK(least_requests(0.99, 0.99) == 459);
  CHECK(least_requests(0.999, 0.95) == 2995);
  CHECK(most_misses(298, 0.99, 0.95) == -1);
  CHECK(most_misses(299, 0.99, 0.95) == 0);
}

TEST_CASE("with n = 473 one may miss of p99 at 95 %, and not with 472") {
  // P(Bin(n, 0.01) <= 1) = 0.99^n + n 0.01 0.99^(n-1)
  const auto at_most_one = [](double n) { return std::pow(0.99, n) + n * 0.01 * std::pow(0.99, n - 1); };
  REQUIRE(at_most_one(473) <= 0.05);
  REQUIRE(at_most_one(472) > 0.05);
  CHECK(most_misses(473, 0.99, 0.95) == 1);
  CHECK(most_misses(472, 0.99, 0.95) == 0);
}

TEST_CASE("of many requests the share that may miss comes near what the SLO leaves, by the normal law") {
  const double n = 1e6, mean = 0.01 * n, deviation = std::sqrt(n * 0.01 * 0.99);
  const auto allowed = static_cast<double>(most_misses(1000000, 0.99, 0.95));
  CHECK(std::abs(allowed - (mean - 1.6449 * deviation)) < 2);
  CHECK(allowed < mean);
}

TEST_CASE("an SLO for all leaves none") {
  CHECK(most_misses(10, 1, 0.95) == 0);
  CHECK(least_requests(1, 0.95) == 1);
}
