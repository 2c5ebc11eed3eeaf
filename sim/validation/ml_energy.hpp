#pragma once

#include <string>
#include <vector>

#include "study/serving_runs.hpp"
#include "validation/registry.hpp"

namespace joulecast::validation {

/// A published run and what was predicted of it by a fit that has seen nothing of its model (of any model with the same architecture file, on any GPU).
struct UnseenRun {
  const study::SteadyRun* run = nullptr;  ///< null where no other model ran on its GPU: nothing was predicted
  std::string model;                      ///< what left the fit
  bool mixture = false;
  double measured = 0, predicted = 0;         ///< joules a token
  double seconds_error = 0, watts_error = 0;  ///< relative, of a mean step and of a GPU
  double half_width = 0;                      ///< of the stated 80 % interval, in the logarithm, from the other models

  double error() const { return predicted / measured - 1; }
  bool inside() const;
};

/// vLLM 0.11 in steady state (ml-energy/leaderboard v3, lm-arena-chat and gpqa), each model predicted by fits without it. Empty without the data.
std::vector<UnseenRun> unseen_runs(const study::ServingRuns& runs);

/// Joules a token on H100 and B200: batch points held out (the 2nd, 5th, .. of a series, from the others' residuals), models left out, models left out
/// but for the middle point of the series, and how many rows the stated intervals hold. Errors are |predicted/measured - 1|, median and 90th percentile.
Comparison ml_energy();

/// Text for people: the error of each series, and the runs that were left out. "" without the data.
std::string ml_energy_table(const Sources& sources);

}  // namespace joulecast::validation
