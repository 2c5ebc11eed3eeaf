#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "fit/held_out.hpp"

namespace joulecast::calibration {

/// How well a fit stands: its errors on rows that it was not shown, and what share of the variation it explains on those that it was.
struct FitQuality {
  fit::RelativeErrors held_out;  ///< k-fold, or on the rows that were held out by name
  double r2_centred = 0;         ///< 1 - SS/sum (y - mean)^2; NaN where all are equal
  double r2_uncentred = 0;       ///< 1 - SS/sum y^2
  std::size_t rows = 0;          ///< fitted on
  std::size_t held_out_rows = 0;
};

/// `held_out` and `held_out_measured` may be empty: then the error is NaN. All measured above 0.
FitQuality fit_quality(std::span<const double> predicted, std::span<const double> measured, std::span<const double> held_out,
                       std::span<const double> held_out_measured);

/// A parameter of a fit as reports and profiles give it.
struct FittedFigure {
  std::string name, unit;
  double value = 0;
  double low = 0, high = 0;  ///< 80 % interval; NaN where the fit gives none (a parameter at its bound, or no row to spare)
  bool at_bound = false;
};

/// A parameter that the rows do not identify, why, and which measurement would.
struct RefusedFigure {
  std::string name, why, measure;
};

}  // namespace joulecast::calibration
