#include "serving/latency_histogram.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "base/error.hpp"

using namespace joulecast;
using serving::LatencyHistogram;

namespace {

constexpr double kQuantiles[] = {0.0, 0.1, 0.5, 0.9, 0.99, 1.0};

}  // namespace

TEST_CASE("Steps added at once equal steps added one by one, rising or falling") {
  for (const std::int64_t grow : {0, 1, 12'345, 99'999'999, -12'345'678}) {
    const Progression<SecondsTag> duration{FixedTime{int128{3'000'000'000'000} + 77}, FixedTime{grow}};
    const std::int64_t steps = 3000;
    LatencyHistogram at_once, one_by_one;
    at_once.add_steps(duration, steps, 5);
    for (std::int64_t i = 0; i < steps; ++i) one_by_one.add(duration.at(i), 5);
    REQUIRE(at_once.count() == 15000);
    REQUIRE(at_once.mean_s() == one_by_one.mean_s());
    for (const double q : kQuantiles) REQUIRE(at_once.quantile_s(q) == one_by_one.quantile_s(q));
  }
}

TEST_CASE("Quantiles lie within a bucket of the truth, the mean is exact") {
  LatencyHistogram histogram;
  // 1, 2, ..., 100000 us: the share q of them lies at or below q * 0.1 s.
  for (std::int64_t us = 1; us <= 100'000; ++us) histogram.add(us * 1000);
  REQUIRE(histogram.mean_s() == Approx(0.0500005).epsilon(1e-12));
  for (const double q : {0.01, 0.5, 0.9, 0.99}) REQUIRE(histogram.quantile_s(q) == Approx(q * 0.1).epsilon(0.005));
}

TEST_CASE("Single nanoseconds and long times both have a bucket") {
  for (const std::int64_t ns : {0LL, 1LL, 127LL, 128LL, 255LL, 256LL, 257LL, 1'000'000'007LL, 4'000'000'000'000'000'000LL}) {
    LatencyHistogram histogram;
    histogram.add(ns);
    const double middle_ns = histogram.quantile_s(0.5) * 1e9;
    REQUIRE(std::abs(middle_ns - static_cast<double>(ns)) <= 0.5 + static_cast<double>(ns) / 256);
  }
}

TEST_CASE("Merging is adding") {
  LatencyHistogram a, b, both;
  for (std::int64_t i = 0; i < 500; ++i) {
    a.add(i * 1001);
    b.add(i * 777'777, 2);
    both.add(i * 1001);
    both.add(i * 777'777, 2);
  }
  a.merge(b);
  REQUIRE(a.count() == both.count());
  REQUIRE(a.mean_s() == both.mean_s());
  for (const double q : kQuantiles) REQUIRE(a.quantile_s(q) == both.quantile_s(q));
}

TEST_CASE("An empty histogram has no mean, and a negative latency is a bug") {
  LatencyHistogram histogram;
  REQUIRE(std::isnan(histogram.mean_s()));
  REQUIRE(std::isnan(histogram.quantile_s(0.5)));
  REQUIRE_THROWS_AS(histogram.add(-1), Bug);
}
