#pragma once

#include <string>
#include <vector>

#include "calibration/training_efficiency.hpp"
#include "validation/registry.hpp"

namespace joulecast::validation {

/// Iterations of GPT models that vTrain's authors timed on A100 clusters (Megatron-DeepSpeed, 64-512 GPUs, 1F1B, full recompute, attention without
/// flash, no ZeRO), against the operation model. A100's four fitted efficiencies come from 10 of the 52 rows: sorted by (h, t, p, d, b, L, B), rows
/// floor((2i+1)*52/20), i = 0..9. Scored are the others. Assumed and not published: 100 GB/s of NICs a node, gradients of 4 bytes summed
/// after the last backward pass.
struct VtrainRow {
  std::string text;                   ///< "39.1B t4 p8 d16 b3"
  double measured = 0, modelled = 0;  ///< seconds
  bool fitted = false;
};
struct VtrainComparison {
  calibration::TrainingEfficiencyFit fit;
  std::vector<VtrainRow> rows;  ///< sorted as above

  /// Of the rows not fitted, per cent.
  double mean_error() const, median_error() const, p90_error() const;
  double within_15() const;
};
/// Nothing where training/vtrain is not in the folder of measured data.
std::optional<VtrainComparison> vtrain_multi(const Sources& sources);

/// Mean, median and 90th percentile of the error, and the share within 15 %.
Comparison vtrain_multi_node();

/// ground_truth_single.csv is composed of profiled layers, not measured: exactly affine in microbatches. That ours is composed the same way is a
/// regression test: mean error over all rows, gradients summed beside the backward pass as vTrain composes them.
Comparison vtrain_single_node();

/// Text for people: every row of the multi-node comparison, and the fitted figures. "" without the data.
std::string vtrain_table(const Sources& sources);

}  // namespace joulecast::validation
