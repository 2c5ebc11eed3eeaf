#pragma once

#include <span>
#include <string>
#include <vector>

#include "calibration/fit_quality.hpp"
#include "calibration/step_signal.hpp"
#include "hardware/node.hpp"

namespace joulecast::calibration {

/// Mean watts of a whole node over the same stretch: its GPUs' sum, and AC at the supply.
struct ChassisPoint {
  double gpu_watts = 0, ac_watts = 0;
};

/// Means of `seconds` each over the time that both signals cover.
std::vector<ChassisPoint> chassis_points(const StepSignal& gpus, const StepSignal& chassis, double seconds);

/// Host and fans of `chassis AC = (GPUs + host + fans)/efficiency(load)` (`metering::NodeOverhead`).
struct ChassisFit {
  double host_watts = 0, fans_peak_watts = 0;
  bool fans_fitted = false;  ///< else the base's
  FitQuality quality;
  std::vector<FittedFigure> figures;
  std::vector<RefusedFigure> refused;
};

/// Fits the host's watts, and the fans' peak where the GPUs' power spans a factor of two, on relative residuals; the supplies' curve stays the base's,
/// for AC alone does not tell their loss from the host's draw. Throws UserError with fewer than 8 points.
ChassisFit fit_chassis(std::span<const ChassisPoint> points, const hardware::NodeProfile& base);

/// The node profile that extends the base by what was fitted. `gpu` is the name or path of the GPU profile it takes; `source` says where the points are
/// from.
std::string chassis_profile(const ChassisFit& fit, const hardware::NodeProfile& base, const std::string& name, const std::string& gpu,
                            const std::string& source);

}  // namespace joulecast::calibration
