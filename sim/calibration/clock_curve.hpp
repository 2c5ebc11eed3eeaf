#pragma once

#include <optional>
#include <span>
#include <vector>

#include "base/quantity.hpp"
#include "calibration/fit_quality.hpp"

namespace joulecast::calibration {

/// Steady work at one locked SM clock; NaN where the time or the watts were not measured.
struct ClockPoint {
  Hertz clock;
  double seconds = 0;  ///< of a fixed amount of work
  double watts = 0;    ///< mean
};

/// Figures of the forms that are kept where the points do not identify them. Those here are what the GPUs' profiles hold where a board's own are not known:
/// the A100's, from its clock curves in ml-energy/zeus (Perseus artifact).
struct ClockShape {
  double sharpness = 4, knee = 0.77, voltage_ratio = 1.2;
};

/// Time and watts of steady work against the SM clock, u = min(f, ceiling)/top:
/// `t(f) = t_top*(a^p + (b/u)^p)^(1/p)`, `P(f) = P_fixed + P_dynamic*g(u)/g(1)`, `g(u) = u*(1 + (r - 1)*max(0, u - k)/(1 - k))^2`: the forms of
/// `hardware::ClockScaling`, flat voltage below the knee k, r at the top. Above the ceiling the board's power limit holds the clock, whatever it is
/// locked to. How accurate: on every fourth clock of the Perseus artifact's profiles the others err 0.19 % in time and 0.77 % in watts (A100), 0.78 %
/// and 0.43 % (A40, whose 300 W limit holds it at 0.83-0.86 of its top clock).
class ClockCurve {
 public:
  struct Time {
    double top = 0;             ///< t_top, s
    double flat = 0, core = 0;  ///< a, b
    double sharpness = 1;       ///< p
    double seconds(double u) const;
    /// Share of the time that scales with the clock at u = 1, as `hardware::Timing::core` over total.
    double core_share() const { return core / (seconds(1) / top); }
  };
  struct Power {
    double fixed = 0, dynamic = 0;  ///< W at the top clock
    double knee = 0, voltage_ratio = 1;
    double watts(double u) const;
    double dynamic_share() const { return dynamic / (fixed + dynamic); }
  };

  Hertz top, ceiling;     ///< the ceiling is the top where no limit shows
  Hertz lowest, highest;  ///< clocks that were fitted: the range of validity
  std::optional<Time> time;
  std::optional<Power> power;
  std::vector<FittedFigure> figures;
  std::vector<RefusedFigure> refused;

  /// Needs `time`.
  double seconds(Hertz clock) const;
  /// Needs `power`.
  double watts(Hertz clock) const;
};

/// Fits what the points hold, time, watts or both (which then share the ceiling), by Levenberg-Marquardt from several starts, on relative residuals.
/// `top`: the clock that stands for u = 1, at least every point's. Fewer clocks leave figures as in `kept`, named in `refused`: the ceiling needs 7
/// clocks, the knee and the voltage 6, the sharpness 4, a slope 2. Throws UserError without a point.
ClockCurve fit_clock_curve(std::span<const ClockPoint> points, Hertz top, const ClockShape& kept);

/// Errors of time and of watts; absent where the points have none.
struct ClockCurveQuality {
  std::optional<FitQuality> time, power;
};

/// The curve's quality with k-fold held-out errors, k = 5 or the number of points; without held-out errors below 4 points.
ClockCurveQuality clock_curve_quality(const ClockCurve& curve, std::span<const ClockPoint> points, const ClockShape& kept);

}  // namespace joulecast::calibration
