// Intervals from draws: closed forms, and how often a further draw lies in them.
#include "study/prediction_interval.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "base/philox.hpp"

using namespace joulecast;
using namespace joulecast::study;

TEST_CASE("The ends are the draws at a tenth of n + 1 from either side") {
  // 1 .. 19: positions 2 and 18 of 20.
  std::vector<double> values;
  for (int i = 19; i >= 1; --i) values.push_back(i);
  const auto interval = prediction_interval(values);
  REQUIRE(interval);
  CHECK(interval->low == Approx(2).epsilon(1e-12));
  CHECK(interval->high == Approx(18).epsilon(1e-12));
  // 1 .. 10: positions 1.1 and 9.9.
  values = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  CHECK(prediction_interval(values)->low == Approx(1.1));
  CHECK(prediction_interval(values)->high == Approx(9.9));
}

TEST_CASE("Below nine draws Student's interval of a further draw stands in, of logarithms where all are above 0") {
  // t(1) at 80 % is 3.0777; mean 0, s = sqrt(2): 0 -+ 3.0777*sqrt(2)*sqrt(1.5).
  const std::vector<double> two = {-1, 1};
  CHECK(prediction_interval(two)->high == Approx(3.0776835 * std::sqrt(3.0)).epsilon(1e-6));
  CHECK(prediction_interval(two)->low == -prediction_interval(two)->high);
  const std::vector<double> above = {std::exp(-1.0), std::exp(1.0)};
  CHECK(std::log(prediction_interval(above)->high) == Approx(3.0776835 * std::sqrt(3.0)).epsilon(1e-6));
  CHECK(prediction_interval(above)->low > 0);
  CHECK(interval_law(8) == IntervalLaw::student);
  CHECK(interval_law(9) == IntervalLaw::order_statistics);
}

TEST_CASE("One draw has no interval, equal draws one without width") {
  CHECK_FALSE(prediction_interval(std::vector<double>{4}));
  for (const std::size_t n : {std::size_t{3}, std::size_t{30}}) {
    const std::vector<double> same(n, 4.0);
    CHECK(prediction_interval(same)->low == 4);
    CHECK(prediction_interval(same)->high == 4);
  }
}

TEST_CASE("A further draw lies in the interval four times in five, whatever the number of draws and the law") {
  for (const std::size_t n : {std::size_t{5}, std::size_t{9}, std::size_t{10}, std::size_t{30}, std::size_t{100}}) {
    Stream random(7, "interval", "draws");
    constexpr int kTrials = 4000;
    int within = 0;
    for (int trial = 0; trial < kTrials; ++trial) {
      std::vector<double> values;
      for (std::size_t i = 0; i < n; ++i) values.push_back(std::exp(random.normal()));
      const auto interval = prediction_interval(values);
      const double further = std::exp(random.normal());
      within += further >= interval->low && further <= interval->high ? 1 : 0;
    }
    // Four standard errors of 4000 trials: 0.025.
    INFO(n);
    CHECK(static_cast<double>(within) / kTrials == Approx(0.8).margin(0.025));
  }
}
