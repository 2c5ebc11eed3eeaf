#include "calibration/clock_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "fit/levenberg_marquardt.hpp"

namespace joulecast::calibration::detail {
namespace {

/// What times and watts are trusted to, as shares: residuals are divided by them.
constexpr double kTimeTrust = 0.005, kPowerTrust = 0.01;

class Problem {
 public:
  Problem(std::span<const ClockPoint> points, Hertz top, const ClockShape& kept, const ClockFreedom& freedom)
      : points_(points), top_(top), kept_(kept), freedom_(freedom) {
    for (const ClockPoint& point : points) {
      const double u = point.clock / top;
      least_u_ = std::min(least_u_, u);
      if (!std::isnan(point.seconds)) {
        ++rows_;
        if (top_seconds_ == 0 || u > time_u_) {
          time_u_ = u;
          top_seconds_ = point.seconds;
        }
      }
      if (!std::isnan(point.watts)) {
        ++rows_;
        if (top_watts_ == 0 || u > power_u_) {
          power_u_ = u;
          top_watts_ = point.watts;
        }
      }
    }
  }

  bool timed() const { return top_seconds_ > 0; }
  bool powered() const { return top_watts_ > 0; }
  std::size_t rows() const { return rows_; }
  double least_u() const { return least_u_; }

  /// Where a search begins: shares of the range of clocks for ceiling and knee, and how much scales with the clock.
  std::vector<fit::Parameter> start(double ceiling, double knee, double core) const {
    std::vector<fit::Parameter> all;
    if (timed()) {
      if (freedom_.slope) all.push_back({"core", core, 0, 2});
      all.push_back({"flat", freedom_.slope ? std::max(0.05, 1 - core / 2) : 1, 0, 2});
      if (freedom_.slope && freedom_.sharpness) all.push_back({"sharpness", 4, 1, 30});
    }
    if (powered()) {
      all.push_back({"fixed", freedom_.slope ? 0.35 : 1, 0, 2});
      if (freedom_.slope) all.push_back({"dynamic", 0.65, 0, 4});
      if (freedom_.slope && freedom_.voltage) {
        all.push_back({"knee", inside(knee), std::max(0.2, least_u_ - 0.1), 0.97});
        all.push_back({"voltage_ratio", 1.2, 1, 3});
      }
    }
    if (freedom_.ceiling) all.push_back({"ceiling", inside(ceiling), least_u_, 1});
    return all;
  }

  ClockCurve curve(std::span<const double> x) const {
    ClockCurve c;
    c.top = top_;
    std::size_t at = 0;
    if (timed()) {
      ClockCurve::Time time;
      time.top = top_seconds_;
      time.core = freedom_.slope ? x[at++] : 0;
      time.flat = x[at++];
      time.sharpness = freedom_.slope && freedom_.sharpness ? x[at++] : kept_.sharpness;
      c.time = time;
    }
    if (powered()) {
      ClockCurve::Power power;
      power.fixed = x[at++] * top_watts_;
      power.dynamic = freedom_.slope ? x[at++] * top_watts_ : 0;
      power.knee = kept_.knee;
      power.voltage_ratio = kept_.voltage_ratio;
      if (freedom_.slope && freedom_.voltage) {
        power.knee = x[at++];
        power.voltage_ratio = x[at++];
      }
      c.power = power;
    }
    c.ceiling = freedom_.ceiling ? Hertz(x[at] * top_.si()) : top_;
    return c;
  }

  void residuals(std::span<const double> x, std::span<double> out) const {
    const ClockCurve c = curve(x);
    std::size_t row = 0;
    for (const ClockPoint& point : points_) {
      if (!std::isnan(point.seconds)) out[row++] = (c.seconds(point.clock) / point.seconds - 1) / kTimeTrust;
      if (!std::isnan(point.watts)) out[row++] = (c.watts(point.clock) / point.watts - 1) / kPowerTrust;
    }
  }

  /// Value and unit of a parameter as people read it.
  std::pair<double, const char*> scale(const std::string& name) const {
    if (name == "fixed" || name == "dynamic") return {top_watts_, "W"};
    if (name == "ceiling") return {top_.si(), "Hz"};
    return {1, "1"};
  }

 private:
  double inside(double share) const { return std::min(0.97, least_u_ + (1 - least_u_) * share); }

  std::span<const ClockPoint> points_;
  Hertz top_;
  ClockShape kept_;
  ClockFreedom freedom_;
  std::size_t rows_ = 0;
  double top_seconds_ = 0, top_watts_ = 0, time_u_ = 0, power_u_ = 0, least_u_ = 1;
};

std::vector<FittedFigure> figures(const Problem& problem, const fit::NonlinearFit& found) {
  std::vector<FittedFigure> all;
  for (std::size_t i = 0; i < found.parameters.size(); ++i) {
    const auto [unit, name] = problem.scale(found.covariance.names()[i]);
    FittedFigure figure{found.covariance.names()[i], name, found.parameters[i] * unit, 0, 0, found.covariance.held(i)};
    const fit::Interval range = found.covariance.interval(i, found.parameters[i], 0.8);
    const bool known = !figure.at_bound && std::isfinite(range.low);
    figure.low = known ? range.low * unit : std::numeric_limits<double>::quiet_NaN();
    figure.high = known ? range.high * unit : std::numeric_limits<double>::quiet_NaN();
    all.push_back(std::move(figure));
  }
  return all;
}

}  // namespace

std::optional<ClockCurve> search_clock_curve(std::span<const ClockPoint> points, Hertz top, const ClockShape& kept, const ClockFreedom& freedom) {
  const Problem problem(points, top, kept, freedom);
  if (!problem.timed() && !problem.powered()) return std::nullopt;
  std::optional<fit::NonlinearFit> best;
  const auto attempt = [&](double ceiling, double knee, double core) {
    try {
      auto found = fit::levenberg_marquardt(problem.start(ceiling, knee, core), problem.rows(),
                                            [&](std::span<const double> x, std::span<double> r) { problem.residuals(x, r); });
      if (!best || found.sum_of_squares < best->sum_of_squares) best = std::move(found);
    } catch (const UserError&) {
      // Not identified where this search ended; another start, or fewer free figures, may be.
    }
  };
  const std::vector<double> ceilings = freedom.ceiling ? std::vector<double>{0.95, 0.7, 0.45} : std::vector<double>{1};
  const std::vector<double> knees = freedom.voltage && problem.powered() ? std::vector<double>{0.2, 0.45, 0.7} : std::vector<double>{1};
  for (const double ceiling : ceilings) {
    for (const double knee : knees) {
      for (const double core : {0.5, 0.9}) attempt(ceiling, knee, core);
    }
  }
  if (!best) return std::nullopt;
  ClockCurve curve = problem.curve(best->parameters);
  curve.figures = figures(problem, *best);
  return curve;
}

}  // namespace joulecast::calibration::detail
