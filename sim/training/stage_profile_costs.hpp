#pragma once

#include <cstdint>
#include <optional>

#include "base/quantity.hpp"
#include "traces/power/stage_profile.hpp"
#include "training/graph.hpp"

namespace joulecast::training {

/// How a profile of one GPU becomes that of a stage.
struct StageProfileScale {
  double time = 1;                     ///< a stage's layers over the layers profiled
  double watts = 1;                    ///< true watts over those profiled
  int gpus = 1;                        ///< of a stage (its tensor-parallel size): all draw what the one profiled did
  Watts blocking_per_gpu;              ///< while the stage waits for another; > 0
  bool split_backward = false;         ///< for schedules that run weight gradients apart: half of a backward pass's time and energy each
  std::optional<Hertz> highest_clock;  ///< leave out rows above it (a lock)
  FixedTime message = {};              ///< from a stage to the next and back
};

/// Costs of a 1F1B-like graph from a measured profile, one chunk a stage, no gradient synchronisation and no optimizer: the set-up of Chung et al.
/// (Perseus, SOSP 2024). A stage's time is `time` times the profiled one, its energy `time * watts * gpus` times. Kinds: 2*stage + 0 forward, + 1 backward;
/// with a split backward pass 3*stage + 0, 1, 2. Throws UserError at the profile's file: no clock at or below `highest_clock`.
IterationParts costs_of(const traces::StageProfile& profile, const StageProfileScale& scale);

}  // namespace joulecast::training
