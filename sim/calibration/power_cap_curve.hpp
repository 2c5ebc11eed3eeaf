#pragma once

#include <span>
#include <vector>

#include "base/quantity.hpp"
#include "calibration/fit_quality.hpp"

namespace joulecast::calibration {

/// A fixed amount of work under a power limit.
struct CapPoint {
  Watts limit;
  double seconds = 0;
};

/// Time of work under a power limit c: `t(c) = (t0^p + (t1*(c1 - b)/(c - b))^p)^(1/p)`, c1 the lowest limit fitted on. The limit takes b for what does
/// not scale with the clock and leaves c - b to the core, whose rate is as good as proportional to it near the lowest voltage; a limit that work
/// does not reach leaves t0. How accurate: every third limit of Zeus's NSDI 2023 tables left out, 1.3-1.6 % median.
struct CapCurve {
  double free_seconds = 0;     ///< t0
  double limited_seconds = 0;  ///< t1: at the lowest limit, of the core's part; 0 where no limit was felt
  double base_watts = 0;       ///< b, below the lowest limit; it may come out negative
  double sharpness = 1;        ///< p
  Watts lowest, highest;       ///< limits fitted on: the range of validity
  std::vector<FittedFigure> figures;
  std::vector<RefusedFigure> refused;

  double seconds(Watts limit) const;
};

/// Fits on relative residuals. Fewer points, or times that hardly change, leave fewer figures free, named in `refused`: all four need 4 limits, three 3.
/// Throws UserError without 2 limits.
CapCurve fit_cap_curve(std::span<const CapPoint> points);

}  // namespace joulecast::calibration
