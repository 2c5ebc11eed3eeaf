#pragma once

#include <optional>
#include <string>
#include <vector>

#include "traces/text_lines.hpp"

namespace joulecast::traces {

/// A model served at a full batch of one size until it was steady: what it took on average.
struct ServingRun {
  std::string model;  ///< Hugging Face id
  std::string gpu;    ///< as the file names it
  std::string task;   ///< "" where the file has none
  int gpus = 1;
  bool expert_parallel = false;
  int data_parallel = 1;
  double batch = 0;          ///< mean sequences
  double output_tokens = 0;  ///< mean of a request
  double watts = 0;          ///< mean of all GPUs together
  double tokens_per_second = 0;
  std::optional<double> prompt_tokens;  ///< mean of a request

  double joules_per_token() const { return watts / tokens_per_second; }
  double step_seconds() const { return batch / tokens_per_second; }  ///< mean: each sequence gets a token a step
};

/// Reads rows with the columns of ml-energy/leaderboard v3: `model_id`, `gpu_model`, `num_gpus`, `avg_batch_size`, `avg_output_len`, `avg_power_watts`
/// (all GPUs), `output_throughput_tokens_per_sec`; where they are there `task`, `par_expert_parallel`, `par_data_parallel` and `prompt_tokens`.
/// UserError: an absent column, a number that is none or not above 0, no rows, a row that was cut off.
std::vector<ServingRun> read_serving_runs(TextLines lines);

}  // namespace joulecast::traces
