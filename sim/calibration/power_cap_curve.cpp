#include "calibration/power_cap_curve.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "base/error.hpp"
#include "fit/levenberg_marquardt.hpp"

namespace joulecast::calibration {
namespace {

/// b as a share of the lowest limit, at the most: nearer, the curve has a pole at limits just below those measured.
constexpr double kMostBase = 0.9, kLeastBase = -3;
constexpr double kKeptSharpness = 6;

struct Search {
  std::span<const CapPoint> points;
  double lowest = 0, highest = 0, least_seconds = 0, most_seconds = 0;

  CapCurve curve(std::span<const double> x, bool sharp) const {
    CapCurve c;
    c.free_seconds = x[0] * least_seconds;
    c.limited_seconds = x[1] * most_seconds;
    c.base_watts = x[2] * lowest;
    c.sharpness = sharp ? x[3] : kKeptSharpness;
    c.lowest = Watts(lowest);
    c.highest = Watts(highest);
    return c;
  }

  std::optional<std::pair<CapCurve, double>> best(bool sharp) const {
    std::optional<std::pair<CapCurve, double>> found;
    for (const double base : {0.0, 0.4, 0.8}) {
      for (const double sharpness : {2.0, 6.0}) {
        std::vector<fit::Parameter> start = {
            {"free_seconds", 0.98, 0.2, 1.5}, {"limited_seconds", 0.9, 0, 1.5}, {"base_share", base, kLeastBase, kMostBase}};
        if (sharp) start.push_back({"sharpness", sharpness, 1, 30});
        try {
          const auto fit = fit::levenberg_marquardt(start, points.size(), [&](std::span<const double> x, std::span<double> out) {
            const CapCurve c = curve(x, sharp);
            for (std::size_t i = 0; i < points.size(); ++i) out[i] = c.seconds(points[i].limit) / points[i].seconds - 1;
          });
          if (!found || fit.sum_of_squares < found->second) found = {with_figures(fit, sharp), fit.sum_of_squares};
        } catch (const UserError&) {
          // Not identified where this search ended.
        }
        if (!sharp) break;
      }
    }
    return found;
  }

  CapCurve with_figures(const fit::NonlinearFit& fit, bool sharp) const {
    CapCurve c = curve(fit.parameters, sharp);
    const std::pair<double, const char*> units[] = {{least_seconds, "s"}, {most_seconds, "s"}, {lowest, "W"}, {1, "1"}};
    const char* names[] = {"free_seconds", "limited_seconds", "base_watts", "sharpness"};
    for (std::size_t i = 0; i < fit.parameters.size(); ++i) {
      const auto [scale, unit] = units[i];
      const bool held = fit.covariance.held(i);
      const fit::Interval range = fit.covariance.interval(i, fit.parameters[i], 0.8);
      const bool known = !held && std::isfinite(range.low);
      constexpr double nan = std::numeric_limits<double>::quiet_NaN();
      c.figures.push_back({names[i], unit, fit.parameters[i] * scale, known ? range.low * scale : nan, known ? range.high * scale : nan, held});
    }
    return c;
  }
};

}  // namespace

double CapCurve::seconds(Watts limit) const {
  if (limited_seconds == 0) return free_seconds;
  const double room = std::max(limit.si() - base_watts, 1e-3 * lowest.si());
  const double limited = limited_seconds * (lowest.si() - base_watts) / room;
  return std::pow(std::pow(free_seconds, sharpness) + std::pow(limited, sharpness), 1 / sharpness);
}

CapCurve fit_cap_curve(std::span<const CapPoint> points) {
  if (points.size() < 2) throw UserError({}, "fewer than two power limits", "measure the same work under three limits at least (`nvidia-smi -pl`)");
  Search search{points, points[0].limit.si(), points[0].limit.si(), points[0].seconds, points[0].seconds};
  double mean = 0;
  for (const CapPoint& point : points) {
    JOULECAST_CHECK(point.limit.si() > 0 && point.seconds > 0, "a limit and a time are positive");
    search.lowest = std::min(search.lowest, point.limit.si());
    search.highest = std::max(search.highest, point.limit.si());
    search.least_seconds = std::min(search.least_seconds, point.seconds);
    search.most_seconds = std::max(search.most_seconds, point.seconds);
    mean += point.seconds / static_cast<double>(points.size());
  }
  if (points.size() >= 4) {
    if (auto found = search.best(true)) return std::move(found->first);
  }
  const RefusedFigure sharpness{"sharpness", "the limits given do not tell it from the watts that do not scale",
                                "measure more limits around the "
                                "highest at which the time begins to grow"};
  if (points.size() >= 3) {
    if (auto found = search.best(false)) {
      found->first.refused.push_back(sharpness);
      return std::move(found->first);
    }
  }
  CapCurve level;
  level.free_seconds = mean;
  level.lowest = Watts(search.lowest);
  level.highest = Watts(search.highest);
  level.figures = {{"free_seconds", "s", mean, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::quiet_NaN(), false}};
  level.refused = {{"the cap's effect", "the times do not follow the limit", "measure lower limits, down to the least the board takes"}, sharpness};
  return level;
}

}  // namespace joulecast::calibration
