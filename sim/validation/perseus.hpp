#pragma once

#include <optional>
#include <string>
#include <vector>

#include "training/iteration.hpp"
#include "validation/registry.hpp"

namespace joulecast::validation {

/// The emulation of GPT-3 175B in Perseus's artifact: 8 stages over 8 GPUs each, 1F1B, no time between stages; a profile of one GPU and a tenth of a
/// stage's layers.
struct PerseusSetup {
  std::string gpu;      ///< "a100" or "a40"
  std::string profile;  ///< file name in training/perseus
  double blocking_watts = 0;
};
const std::vector<PerseusSetup>& perseus_setups();

/// Its iteration; nothing where the profile is not in the folder of measured data.
std::optional<training::Iteration> perseus_iteration(const Sources& sources, const PerseusSetup& setup, int microbatches);

/// pipeline_slack on both profiles with 12 to 96 microbatches at the all-max deadline: base time and energy, saving against the program's optimum.
/// Further entries: EnvPipe, relaxed deadlines and stragglers.
std::vector<Comparison> perseus_emulations();

}  // namespace joulecast::validation
