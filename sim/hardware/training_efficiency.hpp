#pragma once

#include <optional>

#include "config/record.hpp"
#include "hardware/figure.hpp"

namespace joulecast::hardware {

/// The four efficiencies of a training iteration that are fitted on measured iterations.
struct FittedEfficiency {
  Figure<double> gemm_derate;       ///< of the GEMM form's compute efficiency: clocks under load, shapes, neighbours
  Figure<double> elementwise;       ///< share of the memory bandwidth that elementwise work reaches
  Figure<double> nic;               ///< share of a node's NIC bandwidth that collectives and messages reach
  Figure<Seconds> host_layer_pass;  ///< what the host needs to launch one pass of one layer
};

/// How well a GPU does the work of training: `[training]` of its profile.
struct TrainingEfficiency {
  /// GEMM time in training's shapes, from operation tables: launch + max(FLOP/(derate*compute*peak) in whole waves, bytes/(memory*bandwidth)).
  Figure<double> multiprocessors;  ///< SMs that take a tile each
  Figure<Seconds> gemm_launch;
  Figure<double> gemm_compute, gemm_memory;
  FittedEfficiency fitted;
  std::optional<FittedEfficiency> prior;  ///< what was believed before the fit, errors being the widths it was given; absent where nothing was fitted
  Figure<double> dynamic_share;           ///< of the class watts in training, where GEMMs fill the pipes: replaces [power_split]'s
};

/// The record of `[training]`, with `[training.fitted]` and `[training.prior]`.
config::Record<TrainingEfficiency> training_efficiency_record();

}  // namespace joulecast::hardware
