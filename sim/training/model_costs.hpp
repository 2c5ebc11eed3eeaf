#pragma once

#include <cstdint>

#include "hardware/fabric/fabric_collectives.hpp"
#include "hardware/gpu.hpp"
#include "llm/architecture.hpp"
#include "training/chunk_pass.hpp"
#include "training/graph.hpp"
#include "training/layout.hpp"

namespace joulecast::training {

/// Collectives of a training job on this GPU: NICs reach the share of their bandwidth that [training.fitted] says.
hardware::CollectiveOptions collective_options(const hardware::GpuProfile& gpu);

/// The operations of one pipeline's iteration by the operation model: what a stage's chunk takes in each pass, its update, its messages, its waits.
///
/// Seconds: GEMMs, attention with or without flash, elementwise bytes, exposed collectives and the host's floor, layer by layer (OperatingPoints,
/// LayerPasses); the first stage embeds, the last holds the vocabulary and the loss. Messages between stages are the residual stream of a microbatch,
/// scattered over the tensor-parallel ranks and gathered again without sequence parallelism; the host's floor does not hide them. Without
/// `overlap_p2p` a message is part of the pass that sends it (exposed communication), else the delay of the dependency.
/// Watts: class watts of the profile at the clock; waiting GPUs draw its spin-wait watts.
///
/// How accurate is this? Iterations of GPT models on 64-512 A100 that nothing was fitted to: 7.5 % mean, 4.6 % median, 16.7 % at the 90th percentile
/// (vTrain's multi-node runs); Megatron's 8 iterations of 22B to 1T: 2.1 % mean, 4.8 % the worst. H100, derate from one point: GPT-3 175B up to 2048
/// GPUs within 1 %, Llama-3.1 405B within 5 %. Watts: class watts of serving; a node of 8 H100 in GPT-3 175B comes out 9 % below the 7.75 kW
/// measured, one in Llama-2 70B LoRA 19 % below its 6.74 kW DC.
///
/// `layout` has passed check_layout; `gpus_per_node` of the node that holds the GPUs. Kinds of equal chunks are shared. Throws UserError where the
/// GPU has no [training] or no all-reduce.
IterationParts model_costs(const hardware::GpuProfile& gpu, const llm::Architecture& model, const Layout& layout,
                           const hardware::CollectiveTimes& collectives, std::int64_t gpus_per_node, const ClockSettings& settings = {});

}  // namespace joulecast::training
