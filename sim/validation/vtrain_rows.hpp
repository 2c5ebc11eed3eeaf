#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "llm/architecture.hpp"
#include "training/layout.hpp"

namespace joulecast::validation {

/// A row of vTrain's ground_truth_multi.csv or ground_truth_single.csv.
struct VtrainJob {
  std::int64_t hidden = 0, heads = 0, layers = 0;
  training::Layout layout;
  double seconds = 0;

  /// A GPT of this shape with vTrain's vocabulary of 50257 and as many learned positions as the sequence is long.
  llm::Architecture model() const;
  std::string text() const;
};

/// Sorted by (h, t, p, d, b, L, B). The layouts are those of the runs: full recompute, no flash attention.
std::vector<VtrainJob> read_vtrain(const std::string& path);

}  // namespace joulecast::validation
