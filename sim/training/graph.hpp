#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "training/iteration.hpp"
#include "training/schedule.hpp"

namespace joulecast::training {

/// Whose costs the passes of a stage's chunk have: positions in IterationParts::costs, -1 where there is none (a stage with no layers).
struct ChunkKinds {
  std::int32_t forward = -1, backward = -1, backward_input = -1, backward_weight = -1;
};

struct StageKinds {
  std::vector<ChunkKinds> chunks;
  std::int32_t gradient_sync = -1;  ///< -1: nothing to synchronise
  std::int32_t optimizer = -1;      ///< -1: left out
};

/// What a graph is made of beside the order of its passes.
struct IterationParts {
  std::vector<std::vector<OperatingPoint>> costs;  ///< by kind; falling clocks, at least one
  std::vector<StageKinds> stages;
  std::vector<Watts> blocking;  ///< by stage
  std::int32_t gpus_per_stage = 1;
  FixedTime forward_message, backward_message;  ///< from a stage to the next (from the last, between chunks, to the first), and back
};

/// The graph of one iteration. A forward pass waits for the one of the stage before (from the last stage's chunk c to the first stage's c + 1), a
/// backward pass for the one of the stage after and for its own forward, a weight part for its input part; a stage runs its passes in the schedule's
/// order, then gradient_sync, then the optimizer. Dependencies are sorted by `after`.
/// Throws UserError at `place`: a stage with no layers or no cost for a pass, a pass that waits for one that is not there (dangling), orders that
/// wait for each other in a circle (deadlock), each by its passes' names.
Iteration build_iteration(const Schedule& schedule, const IterationParts& parts, const Place& place = {});

/// Renumbers the operations of a graph made by hand so that every dependency points forward, and sorts dependencies by `after`. Throws UserError at
/// `place`: a dependency on an operation that is not there, a circle, a kind without costs, a stage that is not there.
void order_topologically(Iteration& iteration, const Place& place = {});

/// "F3 of stage 2"; "F3.1 of stage 2" with chunks.
std::string text(const Operation& operation);

}  // namespace joulecast::training
