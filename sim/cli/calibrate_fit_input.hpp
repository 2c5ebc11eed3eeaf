#pragma once

#include <optional>
#include <string>
#include <vector>

#include "calibration/chassis_fit.hpp"
#include "calibration/log_fit.hpp"
#include "calibration/measured_points.hpp"
#include "calibration/meter_check.hpp"
#include "cli/calibrate_arguments.hpp"
#include "hardware/node.hpp"

namespace joulecast::cli {

/// What `calibrate fit` reads before it fits; the request points to the log, so it stays where it is.
struct FitInput {
  FitInput() = default;
  FitInput(const FitInput&) = delete;
  FitInput& operator=(const FitInput&) = delete;

  traces::PowerLog log;
  calibration::LogFitRequest request;
  std::optional<hardware::NodeProfile> node;  ///< where a chassis log is given
  std::vector<calibration::ChassisPoint> chassis;
  std::optional<calibration::MeterCheck> meter;
  std::optional<calibration::MeasuredRun> measured;  ///< where the model that ran is named
  std::vector<std::string> beside;                   ///< the other files, with their sha256
};

/// Reads the log and what lies beside it. Throws UserError, all faults of the options at once.
void read_fit_input(const CalibrateFitArguments& arguments, FitInput& input);

}  // namespace joulecast::cli
