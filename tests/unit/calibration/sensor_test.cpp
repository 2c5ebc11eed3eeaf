// The sensor's forward model in closed form, energies read through it, locked periods, and change points against the exhaustive search.
#include "calibration/sensor.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "base/philox.hpp"
#include "calibration/change_points.hpp"

using namespace joulecast;
using namespace joulecast::calibration;

namespace {

constexpr std::int64_t kMs = 1'000'000;

/// 100 W, from 1 s on 300 W, from 3 s on 100 W.
StepSignal pulse() {
  const std::vector<std::int64_t> times = {0, 1000 * kMs, 3000 * kMs};
  const std::vector<double> watts = {100, 300, 100};
  return {times, watts};
}

std::vector<std::int64_t> polls(std::int64_t step, std::int64_t end) {
  std::vector<std::int64_t> all;
  for (std::int64_t t = 0; t <= end; t += step) all.push_back(t);
  return all;
}

/// The least sum of squares/noise^2 + penalty a segment, by trying every last segment.
double exhaustive(const std::vector<double>& values, double noise, double penalty, std::size_t least) {
  std::vector<double> best(values.size() + 1, 1e300);
  best[0] = -penalty;
  for (std::size_t end = least; end <= values.size(); ++end) {
    for (std::size_t begin = 0; begin + least <= end; ++begin) {
      double mean = 0, cost = 0;
      for (std::size_t i = begin; i < end; ++i) mean += values[i] / static_cast<double>(end - begin);
      for (std::size_t i = begin; i < end; ++i) cost += (values[i] - mean) * (values[i] - mean) / noise / noise;
      best[end] = std::min(best[end], best[begin] + cost + penalty);
    }
  }
  return best[values.size()];
}

}  // namespace

TEST_CASE("a signal holds each value until the next, and its energies are exact") {
  const StepSignal signal = pulse();
  CHECK(signal.joules(0, 4000 * kMs) == Approx(100 + 600 + 100));
  CHECK(signal.joules(500 * kMs, 1500 * kMs) == Approx(50 + 150));
  CHECK(signal.joules(-1000 * kMs, 0) == Approx(100));
  CHECK(signal.mean(1000 * kMs, 3000 * kMs) == Approx(300));
  CHECK(signal.at(1000 * kMs) == 300);
}

TEST_CASE("a sensor that averages a second ramps for a second; gain, offset and lag act as they say") {
  const SensorModel second{0.1, 1, 0.95, 4, 0.2};
  const auto shown = second.readings(pulse(), polls(100 * kMs, 4000 * kMs), 0);
  // A value taken at t shows the mean of [t - 1.2, t - 0.2]: at 1.7 s half of it lies behind the step.
  CHECK(shown[17] == Approx(0.95 * 200 + 4));
  CHECK(shown[12] == Approx(0.95 * 100 + 4));
  CHECK(shown[22] == Approx(0.95 * 300 + 4));
  CHECK(second.watts(shown[22]) == Approx(300));
  // Between two values the last one stands.
  const auto often = SensorModel{0.1, 0, 1, 0, 0}.readings(pulse(), polls(30 * kMs, 1200 * kMs), 50 * kMs);
  CHECK(often[34] == 100);  // at 1.02 s: taken at 0.95 s
  CHECK(often[35] == 300);  // at 1.05 s: taken there
}

TEST_CASE("an energy read through a lagging sensor is the board's, and one read without it is named wrong") {
  const SensorModel second{0.1, 1, 0.95, 4, 0.5};
  const auto at = polls(10 * kMs, 6000 * kMs);
  const auto watts = second.readings(pulse(), at, 0);
  const StepSignal shown(at, watts);
  CHECK(corrected_joules(second, shown, 0, 4000 * kMs) == Approx(100 + 600 + 100).epsilon(0.015));
  CHECK(shown.joules(0, 4000 * kMs) < 0.95 * 800);
}

TEST_CASE("a load that repeats with the sensor's period is warned of, others are not") {
  const SensorModel quarter{0.101, 0.025, 1, 0, 0};
  CHECK(locked_period(quarter, 0.101));
  CHECK(locked_period(quarter, 0.204));
  CHECK(locked_period(quarter, 0.0505));
  CHECK_FALSE(locked_period(quarter, 0.15));
  CHECK_FALSE(locked_period(SensorModel{0.1, 1, 1, 0, 0}, 0.1));
  CHECK_THAT(*locked_period(quarter, 0.202), Catch::Contains("no multiple"));
}

TEST_CASE("change points cost what the exhaustive search's do, and stand where the mean changes") {
  Stream random(7, "log", "change points");
  for (int round = 0; round < 20; ++round) {
    std::vector<double> values;
    for (const double level : {70.0, 300.0, 310.0, 122.0}) {
      const int count = 4 + static_cast<int>(random.uniform() * 20);
      for (int i = 0; i < count; ++i) values.push_back(level + 4 * random.normal());
    }
    const double penalty = 4 * std::log(static_cast<double>(values.size()));
    const auto segments = change_points(values, 4, 2, 0);
    double noise = 4;
    {
      std::vector<double> steps;
      for (std::size_t i = 1; i < values.size(); ++i) steps.push_back(std::abs(values[i] - values[i - 1]));
      std::sort(steps.begin(), steps.end());
      const std::size_t n = steps.size();
      const double median = n % 2 == 1 ? steps[n / 2] : (steps[n / 2 - 1] + steps[n / 2]) / 2;
      noise = std::max(4.0, median / (0.6745 * std::sqrt(2.0)));
    }
    double cost = -penalty;
    for (const MeanSegment& segment : segments) {
      CHECK(segment.size() >= 2);
      cost += penalty;
      for (std::size_t i = segment.begin; i < segment.end; ++i) cost += std::pow((values[i] - segment.mean) / noise, 2);
    }
    CHECK(cost == Approx(exhaustive(values, noise, penalty, 2)).epsilon(1e-9));
  }
}
