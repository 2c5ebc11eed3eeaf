#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/quantity.hpp"
#include "config/diagnostics.hpp"

namespace joulecast::hardware {

/// A mean step of a batch that stayed full of requests of about these lengths.
struct MeasuredStep {
  double batch = 0;  ///< mean sequences
  Seconds step_time{};
  Watts watts{};  ///< of all GPUs of the replica together
  double prompt_tokens = 0, output_tokens = 0;
  Place place;
};

/// Steps measured of one model on one kind of GPU at the profile's reference clock and default power limit.
struct MeasuredSteps {
  std::string file;
  std::string model, gpu;  ///< as the file names them
  std::int64_t tensor_parallel_size = 1;
  std::string quantization;  ///< "" as the architecture stores its weights
  bool enable_expert_parallel = false;
  std::string source;
  std::vector<MeasuredStep> points;  ///< rising batches
  Place place;
};

/// Reads a file of measured steps and reports every fault; the result is only meaningful where `diagnostics` has not failed.
///
///   model = "meta-llama/Llama-3.1-8B-Instruct"
///   gpu = "H100 SXM"
///   tensor_parallel_size = 1
///   source = "who measured it, and how"
///   points = [ { batch = 64, step_time = "14.2 ms", watts = "480 W", prompt_tokens = 400, output_tokens = 700 } ]
MeasuredSteps load_measured_steps(const std::string& path, config::Diagnostics& diagnostics);

/// What load_measured_steps reads.
std::string measured_steps_text(const MeasuredSteps& steps);

}  // namespace joulecast::hardware
