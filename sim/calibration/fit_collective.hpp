#pragma once

#include <vector>

#include "calibration/collective_table.hpp"
#include "fit/covariance.hpp"
#include "fit/held_out.hpp"

namespace joulecast::calibration {

/// `alpha + root*sqrt(bytes) + bytes/beta` of one collective among so many GPUs of a node.
struct CollectiveFit {
  hardware::Collective collective = hardware::Collective::all_reduce;
  std::int64_t gpus = 0;
  double alpha = 0, root = 0, beta = 0;
  fit::Covariance covariance;    ///< of root, 1/beta, alpha; a figure at 0 is held
  fit::RelativeErrors held_out;  ///< five folds
  double least_bytes = 0, most_bytes = 0;
  std::size_t rows = 0;
};

/// Non-negative least squares of relative errors. Throws UserError where there are less than 10 sizes, or the time does not grow with the bytes.
CollectiveFit fit_collective(hardware::Collective collective, std::int64_t gpus, const std::vector<CollectiveRow>& rows);

}  // namespace joulecast::calibration
