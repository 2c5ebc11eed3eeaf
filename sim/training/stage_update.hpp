#pragma once

#include "hardware/fabric/collective_times.hpp"
#include "training/chunk_pass.hpp"
#include "training/stage_parameters.hpp"

namespace joulecast::training {

/// What ends a stage's iteration: the sum of gradients over the ranks that hold the same weights, and the optimizer's step.
///
/// Gradients are 4 bytes a parameter: an all-reduce over data- and context-parallel ranks; with ZeRO-1 a reduce-scatter of them before the step and
/// an all-gather of 2 bytes a parameter after it. Experts are summed over the ranks that hold the same ones. The first and the last stage sum the
/// gradients of tied embeddings between them. With `overlap_grad_reduce` only what the last backward and the first forward pass of the stage do not
/// hide is exposed. Adam with fp32 states passes 38 bytes a trained parameter through memory: gradient, master weight and both moments are read
/// and the last three written in fp32, a 16-bit weight written (30), and the gradient unscaled, read and written (8); ZeRO-1 steps a share on
/// each rank.
struct StageUpdate {
  std::vector<RepeatedPass> gradient_sync;  ///< empty: nothing to sum
  std::vector<RepeatedPass> optimizer;
};

/// `hiding_backward`, `hiding_forward`: seconds of the stage's last backward and first forward passes, of one microbatch through all its chunks.
StageUpdate stage_update(const StageParameters& parameters, const Layout& layout, bool shares_embedding, double hiding_backward,
                         double hiding_forward, const WorkTimes& times, const RankGroups& groups, const hardware::CollectiveTimes& collectives);

}  // namespace joulecast::training
