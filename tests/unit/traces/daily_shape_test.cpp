#include "traces/requests/daily_shape.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <cmath>

#include "traces/requests/arrivals.hpp"

using namespace joulecast;
using namespace joulecast::traces;

namespace {

constexpr std::int64_t kHour = 3'600'000'000'000;

/// Factors of mean 1, all of them multiples of 2^-32: 2 by day (08:00 to 20:00), 0 by night.
DailyShape by_day(std::int64_t start = 0) {
  DailyShape shape;
  for (std::size_t hour = 8; hour < 20; ++hour) shape.factors[hour] = 2;
  shape.start_local_ns_of_day = start;
  return shape;
}

}  // namespace

// With L(t) = 0 until 08:00, 2 (t - 8 h) until 20:00, 24 h then: L^-1(s) = 8 h + s / 2 for 0 <= s < 24 h.
TEST_CASE("even time is turned into time of day exactly") {
  DailyClock clock(by_day());
  const FixedTime most = FixedTime::from_nano(INT64_MAX / 2);
  CHECK(clock.advance(FixedTime::from_nano(0), most).floor_nano() == 8 * kHour);
  CHECK(clock.advance(FixedTime::from_nano(7), most).raw == (FixedTime::from_nano(8 * kHour) + FixedTime{7 * (int128{1} << 23)}).raw);
  CHECK(clock.advance(FixedTime::from_nano(2 * kHour - 7), most).floor_nano() == 9 * kHour);
  CHECK(clock.advance(FixedTime::from_nano(22 * kHour), most).floor_nano() == (24 + 8) * kHour);
  CHECK(clock.advance(FixedTime::from_nano(240 * kHour), most).floor_nano() == (11 * 24 + 8) * kHour);
}

TEST_CASE("a run that begins inside an hour begins inside its factor") {
  DailyClock clock(by_day(8 * kHour + kHour / 4));
  const FixedTime most = FixedTime::from_nano(INT64_MAX / 2);
  CHECK(clock.advance(FixedTime::from_nano(kHour), most).floor_nano() == kHour / 2);
  CHECK(clock.advance(FixedTime::from_nano(0), FixedTime::from_nano(1)).floor_nano() == kHour / 2);
  DailyClock night(by_day(21 * kHour));
  CHECK(night.advance(FixedTime::from_nano(10), most).floor_nano() == 11 * kHour + 5);
}

TEST_CASE("what lies beyond the end is not looked for") {
  DailyClock clock(by_day());
  CHECK(clock.advance(FixedTime::from_nano(1000 * kHour), FixedTime::from_nano(30 * kHour)).floor_nano() >= 30 * kHour);
}

// Even arrivals at rate r: the n-th comes at even time n / r, so an hour with factor f (of mean 1) holds r * 3600 * f of them.
TEST_CASE("even arrivals follow the shape hour by hour, day after day, without drift") {
  Arrivals arrivals{Arrivals::Process::constant, Hertz(2), 1};
  arrivals.daily.emplace();
  std::array<std::int64_t, 24> expected{};
  for (std::size_t hour = 0; hour < 24; ++hour) {
    arrivals.daily->factors[hour] = static_cast<double>(1 + hour % 4);  // mean 2.5
    expected[hour] = static_cast<std::int64_t>(2 * 3600 * (1 + hour % 4) * 2 / 5);
  }
  ArrivalTimes times(arrivals, 1, "chat");
  std::array<std::array<std::int64_t, 24>, 5> counted{};
  for (Time at = times.next(); at.ns < 5 * 24 * kHour; at = times.next()) {
    ++counted[static_cast<std::size_t>(at.ns / (24 * kHour))][static_cast<std::size_t>(at.ns / kHour % 24)];
  }
  for (const auto& day : counted) {
    for (std::size_t hour = 0; hour < 24; ++hour) CHECK(std::abs(day[hour] - expected[hour]) <= 1);
  }
}

// Counts of an inhomogeneous Poisson process in separate hours are Poisson with the mean of the rate's integral: 4 standard deviations.
TEST_CASE("Poisson arrivals follow the shape, and request_rate is the mean over a day") {
  Arrivals arrivals{Arrivals::Process::poisson, Hertz(5), 1};
  arrivals.daily.emplace();
  for (std::size_t hour = 0; hour < 24; ++hour) arrivals.daily->factors[hour] = hour < 6 ? 0.1 : 0.7;  // mean 0.55
  ArrivalTimes times(arrivals, 3, "chat");
  std::array<double, 24> counted{};
  for (Time at = times.next(); at.ns < 24 * kHour; at = times.next()) ++counted[static_cast<std::size_t>(at.ns / kHour)];
  for (std::size_t hour = 0; hour < 24; ++hour) {
    const double mean = 5 * 3600 * (hour < 6 ? 0.1 : 0.7) / 0.55;
    CHECK(std::abs(counted[hour] - mean) < 4 * std::sqrt(mean));
  }
  CHECK(arrivals.daily->peak() == Approx(0.7 / 0.55));
}

TEST_CASE("a flat shape leaves the arrivals as they are") {
  const Arrivals plain{Arrivals::Process::gamma, Hertz(5), 0.5};
  Arrivals shaped = plain;
  shaped.daily.emplace();
  shaped.daily->factors.fill(3);
  shaped.daily->start_local_ns_of_day = 5 * kHour + 12345;
  ArrivalTimes a(plain, 3, "chat"), b(shaped, 3, "chat");
  for (int i = 0; i < 100'000; ++i) REQUIRE(a.next() == b.next());
}

TEST_CASE("a long night ends before time does") {
  Arrivals arrivals{Arrivals::Process::constant, Hertz(1e-6), 1};
  arrivals.daily = by_day();
  ArrivalTimes times(arrivals, 3, "chat");
  Time last;
  int count = 0;
  for (Time at = times.next(); at < kForever; at = times.next()) {
    REQUIRE(at > last);
    last = at;
    ++count;
  }
  CHECK(count > 6000);
}
