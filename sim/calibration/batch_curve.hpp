#pragma once

#include <optional>
#include <span>
#include <vector>

#include "calibration/fit_quality.hpp"

namespace joulecast::calibration {

/// Steady decoding at one batch; NaN where the step time or the watts were not measured.
struct BatchPoint {
  double sequences = 0;
  double step_seconds = 0;
  double watts = 0;  ///< mean of one GPU
};

/// Step time and watts of decoding against the batch n: `t = t0 + t1*n` (weights once, KV and host a sequence), `P = P0 + P1*sqrt(u)`, u = (n/t) over
/// the highest n/t measured: the GEMM watts of `hardware::gemm_watts`, whose utilisation goes with tokens a second.
struct BatchCurve {
  double fixed_seconds = 0, sequence_seconds = 0;
  double base_watts = 0, slope_watts = 0;
  double highest_rate = 0;         ///< n/t for which u = 1
  double lowest = 0, highest = 0;  ///< batches fitted on
  std::optional<FitQuality> time, power;
  std::vector<FittedFigure> figures;
  std::vector<RefusedFigure> refused;

  double seconds(double sequences) const { return fixed_seconds + sequence_seconds * sequences; }
  double watts(double sequences, double step_seconds) const;
};

/// Fits on relative residuals, held-out errors by leaving out each fifth. Needs 3 batches for either; watts need step times. What cannot be fitted is
/// named in `refused`.
BatchCurve fit_batch_curve(std::span<const BatchPoint> points);

}  // namespace joulecast::calibration
