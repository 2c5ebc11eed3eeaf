// Curves of time and watts against the clock and the power limit: what is put in comes out, and what is not identified is refused by name.
#include "calibration/clock_curve.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "calibration/power_cap_curve.hpp"

using namespace joulecast;
using namespace joulecast::calibration;

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

ClockCurve truth(double ceiling = 1980e6) {
  ClockCurve curve;
  curve.top = Hertz(1980e6);
  curve.ceiling = Hertz(ceiling);
  curve.time = ClockCurve::Time{0.02, 0.9, 0.6, 4};
  curve.power = ClockCurve::Power{200, 350, 0.7, 1.3};
  return curve;
}

std::vector<ClockPoint> points(const ClockCurve& curve, int count, double lowest = 900e6) {
  std::vector<ClockPoint> all;
  for (int i = 0; i < count; ++i) {
    const Hertz clock(count == 1 ? 1980e6 : 1980e6 - (1980e6 - lowest) * i / (count - 1));
    all.push_back({clock, curve.seconds(clock), curve.watts(clock)});
  }
  return all;
}

}  // namespace

TEST_CASE("points that follow the forms give time and watts back at clocks between them") {
  const ClockCurve made = truth();
  const ClockCurve found = fit_clock_curve(points(made, 12), made.top, {});
  CHECK(found.refused.empty());
  CHECK(found.power->knee == Approx(0.7).epsilon(1e-3));
  CHECK(found.power->voltage_ratio == Approx(1.3).epsilon(1e-3));
  CHECK(found.power->dynamic_share() == Approx(350.0 / 550).epsilon(1e-3));
  CHECK(found.time->core_share() == Approx(made.time->core_share()).epsilon(1e-3));
  for (const double mhz : {950.0, 1333.0, 1700.0}) {
    CHECK(found.seconds(Hertz(mhz * 1e6)) == Approx(made.seconds(Hertz(mhz * 1e6))).epsilon(1e-4));
    CHECK(found.watts(Hertz(mhz * 1e6)) == Approx(made.watts(Hertz(mhz * 1e6))).epsilon(1e-4));
  }
  const ClockCurveQuality quality = clock_curve_quality(found, points(made, 12), {});
  CHECK(quality.time->held_out.median < 1e-3);
  CHECK(quality.time->held_out.worst < 0.02);  // the ends of the range are extrapolated when they are left out
  CHECK(quality.power->r2_centred > 0.9999);
}

TEST_CASE("a board that its power limit holds shows a ceiling above which nothing changes") {
  const ClockCurve made = truth(1650e6);
  const ClockCurve found = fit_clock_curve(points(made, 16), made.top, {});
  CHECK(found.ceiling.si() == Approx(1650e6).epsilon(2e-3));
  CHECK(found.watts(Hertz(1980e6)) == Approx(made.watts(Hertz(1700e6))).epsilon(1e-3));
}

TEST_CASE("fewer clocks leave figures as they were and say which measurement would show them") {
  const ClockCurve made = truth();
  const ClockCurve three = fit_clock_curve(points(made, 3), made.top, {4, 0.7, 1.3});
  CHECK(three.power->knee == 0.7);
  CHECK(three.power->dynamic == Approx(350).epsilon(1e-3));
  REQUIRE(three.refused.size() == 2);
  CHECK_THAT(three.refused[0].measure, Catch::Contains("four clocks"));
  CHECK_THAT(three.refused[1].name, Catch::Contains("knee"));
  const ClockCurve one = fit_clock_curve(points(made, 1), made.top, {});
  CHECK(one.power->dynamic == 0);
  CHECK(one.power->fixed == Approx(made.watts(made.top)));
  CHECK(one.refused.size() == 4);
  CHECK_THROWS_AS(fit_clock_curve({}, made.top, {}), UserError);
}

TEST_CASE("watts alone or times alone are enough for their own curve") {
  std::vector<ClockPoint> watts = points(truth(), 10);
  for (ClockPoint& point : watts) point.seconds = kNaN;
  const ClockCurve found = fit_clock_curve(watts, Hertz(1980e6), {});
  CHECK_FALSE(found.time);
  CHECK(found.power->knee == Approx(0.7).epsilon(1e-2));
  CHECK_FALSE(clock_curve_quality(found, watts, {}).time);
}

TEST_CASE("watts of another law than the form's show in the held-out error") {
  // A power that leaps by 60 W above 1500 MHz: no flat voltage with a rise behind a knee does that.
  std::vector<ClockPoint> all = points(truth(), 16);
  for (ClockPoint& point : all) {
    if (point.clock.si() > 1400e6 && point.clock.si() < 1650e6) point.watts += 90;
  }
  const ClockCurve found = fit_clock_curve(all, Hertz(1980e6), {});
  CHECK(clock_curve_quality(found, all, {}).power->held_out.p80 > 0.05);
}

TEST_CASE("time under a cap: the curve comes back, and flat times give a level") {
  CapCurve made;
  made.free_seconds = 10;
  made.limited_seconds = 14;
  made.base_watts = 60;
  made.sharpness = 5;
  made.lowest = Watts(100);
  std::vector<CapPoint> all;
  for (double limit = 100; limit <= 300; limit += 25) all.push_back({Watts(limit), made.seconds(Watts(limit))});
  const CapCurve found = fit_cap_curve(all);
  CHECK(found.base_watts == Approx(60).epsilon(1e-2));
  CHECK(found.seconds(Watts(110)) == Approx(made.seconds(Watts(110))).epsilon(1e-3));
  CHECK(found.seconds(Watts(400)) == Approx(10).epsilon(1e-2));
  for (CapPoint& point : all) point.seconds = 7;
  CHECK(fit_cap_curve(all).seconds(Watts(150)) == Approx(7).epsilon(1e-6));
  CHECK_THROWS_AS(fit_cap_curve(std::vector<CapPoint>{{Watts(300), 1}}), UserError);
}
