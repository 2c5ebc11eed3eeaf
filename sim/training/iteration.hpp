#pragma once

#include <cstdint>
#include <vector>

#include "base/fixed.hpp"
#include "base/quantity.hpp"

namespace joulecast::training {

/// What an operation of the iteration graph does. A backward pass may be split into its input and weight parts (ZB-H1).
enum class Pass : std::uint8_t { forward, backward, backward_input, backward_weight, gradient_sync, optimizer };

/// One pass of one microbatch through one chunk of one stage; gradient_sync and optimizer stand once a stage, with microbatch and chunk -1.
struct Operation {
  std::int32_t stage = 0, chunk = 0, microbatch = 0;
  Pass pass = Pass::forward;
  std::int32_t kind = 0;  ///< whose costs it has: position in Iteration::costs
};

/// `after` starts no sooner than `delay` after `before` has ended (the message between two stages; 0 within one).
struct Dependency {
  std::int32_t before = 0, after = 0;
  FixedTime delay;
};

/// What an operation takes at one clock, all GPUs of its stage together. `communication` and `recompute` are the parts of time and energy that are
/// exposed communication and recomputed forward work; the rest is the pass itself.
struct OperatingPoint {
  Hertz clock;
  FixedTime time;
  FixedEnergy energy;
  FixedTime communication_time, recompute_time;
  FixedEnergy communication_energy, recompute_energy;
};

/// One iteration of a pipeline as a graph: nodes in an order in which every dependency points forward (topological), the operations of a stage in the order
/// in which it runs them. That order is itself among the dependencies.
struct Iteration {
  std::int32_t stages = 0;
  std::vector<Operation> operations;
  std::vector<Dependency> dependencies;
  std::vector<std::vector<OperatingPoint>> costs;  ///< by kind; falling clocks, at least one
  std::vector<Watts> blocking;                     ///< by stage: what its GPUs draw while they wait
  std::int32_t gpus_per_stage = 1;                 ///< whose energy an operating point is together: a limit of one GPU is this many for them
};

/// Which operating point each operation runs at: positions in the costs of its kind.
using Plan = std::vector<std::int32_t>;

}  // namespace joulecast::training
