#pragma once

#include <memory>

#include "hardware/gpu.hpp"
#include "llm/split.hpp"
#include "serving/cost/operation_times.hpp"
#include "serving/engine_config.hpp"

namespace joulecast::serving {

/// Times added up from operations:
///   step = L*(qkv, o, gate_up, down)(T) + lm_head(S) + attention + elementwise bytes/bandwidth + (2L + 1) all-reduces(T) + host(S),
/// T = scheduled tokens padded to the CUDA graph, S = scheduled sequences; latent attention's projections and experts as llm::step_operations lists
/// them. Weights count in bytes as they are stored; products are taken at the bf16 rate whatever the weights' type: that is what
/// 4-bit weights alone do (mxfp4 on Hopper). With fp8 at its rated rate, twice that, joules a token of left-out models were no better (all_left_out of
/// serving.mlenergy: median 10.4 and 9.4 % on B200 and H100, p90 31.1 and 28.1 %; at the bf16 rate 10.5 and 9.5 %, 29.9 and 28.0 %).
///
/// Mixtures of experts besides: with whole experts on each GPU the ranks wait for the fullest one (llm::fullest_rank_over_mean), and routing, sorting and
/// scaling take what the profile's MixtureCost says. Host time is longer by the profile's HostContention where the engine shares its host.
///
/// How accurate is this? `joulecast validate --only serving.mlenergy`: joules a token of models that nothing was fitted to. Throws UserError for a model that can't be served, a tensor
/// parallelism that it can't be split over or for which the profile has no all-reduce.
std::unique_ptr<const OperationTimes> bottom_up_times(const hardware::GpuProfile& gpu, const llm::Architecture& model, int tensor_parallel,
                                                      llm::ExpertSplit split = llm::ExpertSplit::tensor, HostLoad host_load = HostLoad::exclusive);

}  // namespace joulecast::serving
