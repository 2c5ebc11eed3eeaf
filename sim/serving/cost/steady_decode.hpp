#pragma once

#include <string>

#include "hardware/gpu.hpp"
#include "llm/architecture.hpp"
#include "serving/step_cost.hpp"

namespace joulecast::serving {

/// A replica whose batch stays full of requests of equal lengths: each step decodes `batch` of them, and as many new prompts arrive as requests end,
/// each in one chunk of one step.
struct SteadyLoad {
  int batch = 0;
  double prompt_tokens = 0, output_tokens = 0;
  double mean_context() const { return prompt_tokens + output_tokens / 2; }
};

struct SteadyStep {
  double decode_seconds = 0;    ///< of a step without a prompt: the median inter-token latency while fewer than half the steps hold one
  double mixed_share = 0;       ///< share of steps with a prompt
  double mean_seconds = 0;      ///< over both kinds of steps
  double decode_watts = 0;      ///< mean of a GPU in steps without a prompt
  double watts = 0;             ///< mean of a GPU over all
  double joules_per_token = 0;  ///< all GPUs, an output token
};
SteadyStep steady_decode(const StepCosts& costs, int gpus, const SteadyLoad& load);

/// The table that `validate` prints: steps of a model on a GPU from bottom-up costs beside the rows of ml-energy/leaderboard v3 (vLLM 0.11, lm-
/// arena-chat, prompts of about 400 tokens) in `csv_path` for that GPU, model id and tensor parallelism. `gpu_model` is what the file calls the
/// GPU. H100's class watts were
/// calibrated on these runs: a check of the composition, no evidence. Throws UserError where the file can't be read.
std::string published_decode_table(const std::string& csv_path, const std::string& gpu_model, const std::string& model_id,
                                   const hardware::GpuProfile& gpu, const llm::Architecture& model, int tensor_parallel);

}  // namespace joulecast::serving
