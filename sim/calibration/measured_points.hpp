#pragma once

#include <optional>
#include <string>

#include "calibration/log_fit.hpp"

namespace joulecast::calibration {

/// What is known of the runs whose batches a log holds.
struct MeasuredRun {
  std::string model;                            ///< the architecture's name
  std::string gpu;                              ///< the profile's name
  std::string engine;                           ///< "vLLM 0.11.0"; "" where nobody says
  std::string source;                           ///< the log, in words
  int gpus = 1;                                 ///< of the replica: all that the log holds
  double prompt_tokens = 0, output_tokens = 0;  ///< mean of a request
  Hertz reference;                              ///< clock that a profile's figures are of
};

/// The batches of a log as a file of measured steps (TOML), which a pool of this model on this GPU can name.
struct MeasuredPoints {
  std::string text;  ///< "" where refused
  std::size_t batches = 0;
  std::optional<RefusedFigure> refused;
};

/// One point a batch that has a step time and watts: rising, those that round to the same whole batch as their mean. Watts are of all the replica's GPUs.
/// Refused without such a batch, and where the batches ran at a clock more than 1 % off the reference, of which measured steps are.
MeasuredPoints measured_points(const MeasuredRun& run, const LogFit& fit);

}  // namespace joulecast::calibration
