#pragma once

#include <array>

#include "serving/step_cost.hpp"

namespace joulecast::study {

/// A replica whose batch stays full of requests of equal lengths: `batch` of them decode in each step at the mean context, and as prompts end others
/// come in, each in one chunk of one step.
struct SteadyBatch {
  int sequences = 0;
  double prompt_tokens = 0, output_tokens = 0;
  double prompts_a_step = 0;

  double mean_context() const { return prompt_tokens + output_tokens / 2; }
};

/// A mean step: over those with prompts and those without.
struct SteadyCost {
  std::array<double, serving::kWorks> seconds{}, joules{};  ///< by class, of the replica
  double tokens = 0;                                        ///< scheduled
  double scheduled = 0;                                     ///< sequences, prompts included
  double mixed_share = 0;                                   ///< of steps with a prompt
  double mixed_tokens = 0, mixed_sequences = 0;             ///< of a step with prompts

  double total_seconds() const;
  double total_joules() const;
  double joules_per_token = 0;  ///< of the sequences that decode
};
SteadyCost steady_cost(const serving::StepCosts& costs, const SteadyBatch& batch);

}  // namespace joulecast::study
