#include "metering/power_statistics.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

using namespace joulecast::metering;

TEST_CASE("statistics of a ramp") {
  std::vector<float> watts(1001);
  for (std::size_t i = 0; i < watts.size(); ++i) watts[i] = static_cast<float>(i);
  const PowerStatistics power = power_statistics(watts, 1.0, 1);  // 1 .. 1000
  CHECK(power.mean == Approx(500.5));
  CHECK(power.p50 == Approx(500.5));
  CHECK(power.peak_1s == 1000);
  CHECK(power.peak_60s == Approx(1000 - 29.5));
  CHECK(power.peak_900s == Approx(1000 - 449.5));
  // 941 minute means 30.5 .. 970.5; rank 0.99 * 940 = 930.6.
  CHECK(power.p99_60s == Approx(30.5 + 930.6));
}

TEST_CASE("a window slides by a bin") {
  std::vector<float> watts(600, 100.0F);
  for (std::size_t i = 315; i < 375; ++i) watts[i] = 700.0F;  // a minute that is no minute of the clock
  const PowerStatistics power = power_statistics(watts, 0.2, 0);
  CHECK(power.peak_1s == Approx(700));
  CHECK(power.peak_60s == Approx(100 + 600.0 * 60 / 300));
  CHECK(std::isnan(power.peak_900s));
}

TEST_CASE("what a series cannot tell is NaN") {
  const std::vector<float> watts(100, 5.0F);
  CHECK(std::isnan(power_statistics(watts, 1, 100).mean));
  CHECK(std::isnan(power_statistics(watts, 1, 100).p50));
  const PowerStatistics wide = power_statistics(watts, 120, 0);
  CHECK(wide.mean == 5);
  CHECK(std::isnan(wide.peak_1s));
  CHECK(std::isnan(wide.p99_60s));
  CHECK(std::isnan(wide.peak_900s));  // 120 s do not divide 900 s
  const PowerStatistics odd = power_statistics(watts, 0.7, 0);
  CHECK(std::isnan(odd.peak_1s));
  CHECK(std::isnan(odd.peak_60s));
  CHECK(std::isnan(power_statistics(watts, 1, 50).peak_60s));
  CHECK(power_statistics(watts, 1, 40).peak_60s == 5);
}
