#pragma once

#include <string>

#include "calibration/log_fit.hpp"

namespace joulecast::calibration {

/// The partial GPU profile of a log as TOML: it extends the base, holds what the log gave, each figure with source, kind and error, and says in
/// comments where the log is from, what became of its rows, its sensor, and what was not identified. `load_sources`: other files that the fit read,
/// for the provenance.
std::string log_profile(const LogFitRequest& request, const LogFit& fit, const std::string& name, const std::vector<std::string>& load_sources);

/// Every point of the fits as CSV: `curve,x,unit,measured,fitted,residual,unit_y`, for plots.
std::string log_points_csv(const LogFit& fit);

}  // namespace joulecast::calibration
