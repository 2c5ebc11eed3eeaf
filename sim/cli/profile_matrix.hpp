#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hardware/gpu.hpp"
#include "hardware/tier.hpp"
#include "llm/architecture.hpp"

namespace joulecast::cli {

/// What is known of one model on one GPU at one tensor parallelism.
struct MatrixCell {
  std::int64_t tensor_parallel = 1;
  bool serves = false;
  std::string why_not;           ///< where it does not serve: what does not fit or can't be split
  bool layers_measured = false;  ///< whole layers of this model at this parallelism were timed on this GPU
  double error = 0;              ///< half-width of the 80 % interval of joules a token
};

struct MatrixRow {
  std::string gpu, model;
  hardware::Tier tier = hardware::Tier::datasheet;
  std::vector<MatrixCell> cells;  ///< at 1, 2, 4, 8 GPUs
};

/// A row for each pair, GPUs outside, with default engine values and 0.9 of the memory.
std::vector<MatrixRow> profile_matrix(const std::vector<hardware::GpuProfile>& gpus, const std::vector<llm::Architecture>& models);

}  // namespace joulecast::cli
