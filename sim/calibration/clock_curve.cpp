#include "calibration/clock_curve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

#include "base/error.hpp"
#include "calibration/clock_search.hpp"

namespace joulecast::calibration {

double ClockCurve::Time::seconds(double u) const { return top * std::pow(std::pow(flat, sharpness) + std::pow(core / u, sharpness), 1 / sharpness); }

double ClockCurve::Power::watts(double u) const {
  const auto g = [&](double x) {
    const double voltage = 1 + (voltage_ratio - 1) * std::max(0.0, x - knee) / (1 - knee);
    return x * voltage * voltage;
  };
  return fixed + dynamic * g(u) / g(1);
}

double ClockCurve::seconds(Hertz clock) const {
  JOULECAST_CHECK(time, "a clock curve without times");
  return time->seconds(std::min(clock, ceiling) / top);
}

double ClockCurve::watts(Hertz clock) const {
  JOULECAST_CHECK(power, "a clock curve without watts");
  return power->watts(std::min(clock, ceiling) / top);
}

namespace {

/// What the number of clocks lets be fitted.
detail::ClockFreedom freedom_of(std::size_t clocks) { return {clocks >= 7, clocks >= 4, clocks >= 6, clocks >= 2}; }

/// Fewer free figures, in the order in which they are given up.
std::vector<detail::ClockFreedom> ladder(detail::ClockFreedom most) {
  std::vector<detail::ClockFreedom> all = {most};
  const auto add = [&](detail::ClockFreedom next) {
    next = {next.ceiling && most.ceiling, next.sharpness && most.sharpness, next.voltage && most.voltage, most.slope};
    if (std::find(all.begin(), all.end(), next) == all.end()) all.push_back(next);
  };
  add({false, true, true, true});
  add({true, false, true, true});
  add({false, false, true, true});
  add({true, true, false, true});
  add({false, true, false, true});
  add({false, false, false, true});
  return all;
}

void name_refused(ClockCurve& curve, const detail::ClockFreedom& found, std::size_t clocks) {
  const std::string seen =
      fmt::format("{} clock{} from {:.0f} to {:.0f} MHz", clocks, clocks == 1 ? "" : "s", curve.lowest.si() / 1e6, curve.highest.si() / 1e6);
  if (curve.time && !found.slope) {
    curve.refused.push_back({"core share of the time", seen + " show no slope", "lock two clocks at least, the same work at each"});
  }
  if (curve.time && !found.sharpness) {
    curve.refused.push_back(
        {"sharpness of the time form", seen + " do not tell it from the core share", "lock four clocks at least, down to half the top"});
  }
  if (curve.power && !found.slope) {
    curve.refused.push_back({"dynamic share of the watts", seen + " show no slope", "lock two clocks at least, the same work at each"});
  }
  if (curve.power && !found.voltage) {
    curve.refused.push_back({"knee and voltage ratio", seen + " do not show where the voltage begins to rise",
                             "lock six clocks at least, from half the top to the top, below the power limit"});
  }
}

}  // namespace

ClockCurve fit_clock_curve(std::span<const ClockPoint> points, Hertz top, const ClockShape& kept) {
  std::set<double> clocks;
  for (const ClockPoint& point : points) {
    JOULECAST_CHECK(point.clock <= top, "a clock above the top");
    clocks.insert(point.clock.si());
  }
  if (clocks.empty()) throw UserError({}, "no steady work at a known clock", "lock clocks with `nvidia-smi -lgc` and log the SM clock");
  detail::ClockFreedom most = freedom_of(clocks.size());
  for (const detail::ClockFreedom& freedom : ladder(most)) {
    std::optional<ClockCurve> curve = detail::search_clock_curve(points, top, kept, freedom);
    if (!curve) continue;
    curve->lowest = Hertz(*clocks.begin());
    curve->highest = Hertz(*clocks.rbegin());
    name_refused(*curve, freedom, clocks.size());
    return *std::move(curve);
  }
  throw UserError({}, "time and watts do not follow the clock in the points given", "check that each phase ran the same work at a locked clock");
}

ClockCurveQuality clock_curve_quality(const ClockCurve& curve, std::span<const ClockPoint> points, const ClockShape& kept) {
  constexpr std::size_t kFolds = 5;
  std::vector<double> folds_time(points.size()), folds_power(points.size());
  const bool folded = points.size() >= 4;
  if (folded) {
    const std::size_t folds = std::min(kFolds, points.size());
    for (std::size_t fold = 0; fold < folds; ++fold) {
      std::vector<ClockPoint> train;
      for (std::size_t i = 0; i < points.size(); ++i) {
        if (i % folds != fold) train.push_back(points[i]);
      }
      const ClockCurve other = fit_clock_curve(train, curve.top, kept);
      for (std::size_t i = fold; i < points.size(); i += folds) {
        if (other.time) folds_time[i] = other.seconds(points[i].clock);
        if (other.power) folds_power[i] = other.watts(points[i].clock);
      }
    }
  }
  ClockCurveQuality quality;
  const auto judge = [&](auto measured, auto predicted, const std::vector<double>& held_out) {
    std::vector<double> m, p, h;
    for (std::size_t i = 0; i < points.size(); ++i) {
      if (std::isnan(measured(points[i]))) continue;
      m.push_back(measured(points[i]));
      p.push_back(predicted(points[i]));
      h.push_back(held_out[i]);
    }
    return folded ? fit_quality(p, m, h, m) : fit_quality(p, m, {}, {});
  };
  if (curve.time) {
    quality.time = judge([](const ClockPoint& x) { return x.seconds; }, [&](const ClockPoint& x) { return curve.seconds(x.clock); }, folds_time);
  }
  if (curve.power) {
    quality.power = judge([](const ClockPoint& x) { return x.watts; }, [&](const ClockPoint& x) { return curve.watts(x.clock); }, folds_power);
  }
  return quality;
}

}  // namespace joulecast::calibration
