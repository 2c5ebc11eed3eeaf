#pragma once

#include <string>
#include <vector>

#include "calibration/clock_curve.hpp"
#include "traces/power/stage_profile.hpp"

namespace joulecast::calibration {

/// The clock curve of one pass of one stage, and each clock of the profile.
struct StageCurve {
  int stage = 0;
  std::string pass;  ///< "forward" or "backward"
  ClockCurve curve;
  struct Point {
    ClockPoint measured;
    double seconds = 0, watts = 0;  ///< of the curve
    bool fitted = false;            ///< else held out
  };
  std::vector<Point> points;  ///< by falling clock
};

/// The curves of all stages and passes; the errors are those on the clocks that were held out, over all of them.
struct StageCurves {
  std::vector<StageCurve> curves;
  FitQuality time, power;
};

/// Fits each stage and pass by itself on its 1st, (1+every)-th, (1+2*every)-th .. clock from the top; `every` >= 2. Throws UserError where nothing
/// is held out or too few clocks are left.
StageCurves fit_stage_curves(const traces::StageProfile& profile, int every);

}  // namespace joulecast::calibration
