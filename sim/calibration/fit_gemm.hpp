#pragma once

#include <vector>

#include "base/quantity.hpp"
#include "calibration/gemm_table.hpp"
#include "fit/covariance.hpp"
#include "fit/held_out.hpp"

namespace joulecast::calibration {

/// The GEMM form `launch + (tc^p + tm^p)^(1/p)`, tc = FLOP/(compute*peak), tm = bytes/(memory*bandwidth), of a table.
struct GemmFit {
  double launch = 0, compute_efficiency = 0, memory_efficiency = 0, sharpness = 0;
  fit::Covariance covariance;    ///< in that order, launch in us
  fit::RelativeErrors held_out;  ///< of rows that the fit had not seen, five folds
  std::size_t rows = 0;          ///< that were fitted: at most 4000, evenly through the sorted table
};

/// Fits the form by soft-L1 residuals (scale 5 %) of ln(form/measured): large errors of odd kernels count by their size, not its square.
/// Throws UserError where there are too few rows, or where they do not identify a figure.
GemmFit fit_gemm(const std::vector<GemmRow>& rows, FlopsPerSecond peak, BytesPerSecond bandwidth);

}  // namespace joulecast::calibration
