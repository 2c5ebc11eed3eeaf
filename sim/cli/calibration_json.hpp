#pragma once

#include <nlohmann/json.hpp>

#include "calibration/clock_curve.hpp"

namespace joulecast::cli {

/// The parts of a calibration's report that several subcommands print; a figure that is not known is null.
nlohmann::ordered_json quality_json(const calibration::FitQuality& quality);
nlohmann::ordered_json figures_json(const std::vector<calibration::FittedFigure>& figures);
nlohmann::ordered_json refused_json(const std::vector<calibration::RefusedFigure>& refused);
nlohmann::ordered_json curve_json(const calibration::ClockCurve& curve);

}  // namespace joulecast::cli
