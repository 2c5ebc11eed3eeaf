#pragma once

#include <functional>
#include <string>
#include <vector>

#include "fit/covariance.hpp"
#include "hardware/training_efficiency.hpp"

namespace joulecast::calibration {

/// An iteration that was timed, and the model's seconds of it at some efficiencies.
struct TimedIteration {
  double measured = 0;  ///< seconds
  std::function<double(const hardware::FittedEfficiency&)> modelled;
};

struct TrainingEfficiencyFit {
  hardware::FittedEfficiency fitted;   ///< values alone are set from the fit; sources and errors are the prior's
  std::vector<double> relative_error;  ///< model over measured less 1, by iteration
  std::vector<double> half_width;      ///< of the 80 % intervals, relative, in the order of FittedEfficiency
};

/// The efficiencies that explain timed iterations best: least squares of the robust residuals
///   rho(ln(modelled/measured) / 0.15)  by iteration,   ln(x/prior)/width  by figure,
/// rho(r) = sign(r) sqrt(2 (sqrt(1 + r^2) - 1)) (soft L1: a single odd run does not set the rest), width = the prior's error. GEMM derate up to 1.5,
/// elementwise and NIC efficiency up to 1. `hold_all_but_derate`: for a single iteration, from which no more can be told.
TrainingEfficiencyFit fit_training_efficiency(const hardware::FittedEfficiency& prior, const std::vector<TimedIteration>& iterations,
                                              bool hold_all_but_derate = false);

}  // namespace joulecast::calibration
