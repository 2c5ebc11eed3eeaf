#pragma once

#include <string>

#include "calibration/calibrate_ops.hpp"

namespace joulecast::calibration {

/// The partial profile of fitted figures as TOML: `extends` the base, every figure with its file, rows, held-out error and range. A figure's
/// error is the p80 of held-out relative errors of the form, at least 1 %.
std::string ops_profile(const OpsRequest& request, const OpsResult& result);

}  // namespace joulecast::calibration
