#pragma once

#include <string>
#include <vector>

#include "training/iteration.hpp"
#include "validation/registry.hpp"

namespace joulecast::validation {

/// A job of Perseus's evaluation (SOSP 2024), by the operation model: no profile of it is published. One GPU a stage, 1F1B, full recompute, no flash
/// attention; layers as in the artifact's partitions, whose first and last units are the embedding and the head.
struct SavingsJob {
  std::string id;   ///< "a100-gpt3-1.3b"
  std::string gpu;  ///< of the shipped profiles
  std::string model;
  std::vector<std::int64_t> layers;  ///< of each stage
  std::int64_t micro_batch_size = 1, microbatches = 1;
  std::int64_t seq_length = 1;   ///< published for GPT-3 alone; else the power of two that comes closest to the measured iteration
  bool single_precision = true;  ///< assumed: measured passes take 2-4 times what they would in fp16
  double published = 0;          ///< saving at the all-max deadline, %; 0 where none is
  double measured_seconds = 0;   ///< of an iteration; 0 where none is
  std::string driver;            ///< what its saving comes from
};
const std::vector<SavingsJob>& savings_jobs();

/// Its iteration at every clock within the board's power limit.
training::Iteration savings_iteration(const Sources& sources, const SavingsJob& job);

/// What pipeline_slack saves on these jobs against what was published, and that it saves something where nothing was.
std::vector<Comparison> training_savings();

}  // namespace joulecast::validation
