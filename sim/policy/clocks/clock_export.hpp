#pragma once

#include <string>
#include <vector>

#include "training/iteration.hpp"

namespace joulecast::policy {

/// One entry of the list that a runtime client works through: what a stage runs next, and the clock to ask for.
struct ClockStep {
  std::string instruction;  ///< "forward", "backward", "backward_input", "backward_weight", "gradient_sync", "optimizer"
  int chunk = 0;
  int microbatch = 0;  ///< -1 where there is none
  int frequency_mhz = 0;
};

/// By stage, in the order in which it runs its passes: a plan as runtime clients such as Zeus's take it.
std::vector<std::vector<ClockStep>> clock_list(const training::Iteration& iteration, const training::Plan& plan);

/// The same as text: a header `stage,instruction,chunk,microbatch,frequency` (MHz), one line a pass, stage after stage.
std::string clock_list_csv(const std::vector<std::vector<ClockStep>>& stages);

}  // namespace joulecast::policy
