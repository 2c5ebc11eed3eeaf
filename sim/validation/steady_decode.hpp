#pragma once

#include <string>

#include "serving/step_cost.hpp"
#include "validation/registry.hpp"

namespace joulecast::validation {

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
SteadyStep steady_decode(const serving::StepCosts& costs, int gpus, const SteadyLoad& load);

/// Steps of Llama-3.1-70B TP4 on H100 from bottom-up costs beside the runs of ml-energy/leaderboard v3 (vLLM 0.11, lm-arena-chat, prompts of about
/// 400 tokens), as lines of text below a line that says why it is no evidence: H100's class watts were calibrated on these runs. It checks
/// how steps are composed. "" where serving/ml-energy is not in the folder of measured data. Throws UserError for a faulty file.
std::string steady_decode_table(const Sources& sources);

}  // namespace joulecast::validation
