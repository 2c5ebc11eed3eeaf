#pragma once

#include <array>

#include "serving/step_cost.hpp"

namespace joulecast::serving {

/// A replica whose batch stays full of requests of equal lengths: `batch` of them decode in each step at the mean context, and as prompts end others
/// come in, each in one chunk of one step.
struct SteadyBatch {
  int sequences = 0;
  double prompt_tokens = 0, output_tokens = 0;
  double prompts_a_step = 0;

  /// As many prompts come in a step as requests end in it, but no more than at a batch of 512: above, the FLOP of more prompts would exceed the peak in
  /// published runs (Llama-3.1-405B at a batch of 1021 on B200).
  static SteadyBatch of(double batch, double prompt_tokens, double output_tokens);

  double mean_context() const { return prompt_tokens + output_tokens / 2; }
};

/// A mean step: over those with prompts and those without.
struct SteadyCost {
  std::array<double, kWorks> seconds{}, joules{};  ///< by class, of the replica
  double tokens = 0;                               ///< scheduled
  double scheduled = 0;                            ///< sequences, prompts included
  double mixed_share = 0;                          ///< of steps with a prompt
  double mixed_tokens = 0, mixed_sequences = 0;    ///< of a step with prompts

  double total_seconds() const;
  double total_joules() const;
  double joules_per_token = 0;  ///< of the sequences that decode
};
SteadyCost steady_cost(const StepCosts& costs, const SteadyBatch& batch);

}  // namespace joulecast::serving
