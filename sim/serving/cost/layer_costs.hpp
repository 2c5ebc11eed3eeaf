#pragma once

#include <memory>

#include "hardware/gpu.hpp"
#include "hardware/layer_table.hpp"
#include "llm/architecture.hpp"
#include "serving/cost/pool_costs.hpp"
#include "serving/engine_config.hpp"
#include "serving/step_cost.hpp"

namespace joulecast::serving {

/// Step costs from layer times measured on the card itself:
///   step = L*(qkv_proj, rotary_emb, o_proj, 2 layernorm, qk_norm, gate_up_proj, act_fn, down_proj)(T) + L*attention
///        + (embedding, final_layernorm)(T) + (lm_head, sampler)(S) + (2L + 1) all-reduces at TP > 1 + the table's gap,
/// T = scheduled tokens padded to the CUDA graph, S = scheduled sequences; a mixed step's attention is prefill(C, K) of the joined chunks (see
/// join) plus what decoding sequences of the mean context add to a small chunk. Projections and lm_head are class gemm, the gap is host. Watts,
/// clocks and cap as in ClockedCosts; GEMM's utilisation is that of the projections' FLOPs in the measured time.
///
/// Experts: the table at each GPU's share of the visits of all ranks' tokens and the experts that they are expected to reach (whole experts), or at all
/// of them over the GPUs (slices). Data-parallel ranks step together: decoding sequences and prompt chunks are spread over them, the slowest rank's
/// attention and dense layers count, with an all-gather and a reduce-scatter a layer.
///
/// Uneven contexts: decode attention takes longer than at the mean context by what the table's profile of two-length batches says (UnevenContexts), in
/// steps of 1/128 of attention's time.
///
/// How accurate is this? Replays of vLLM 0.19 runs of 300 ShareGPT requests at 10/s, nothing fitted (`joulecast validate --only serving.vllm`); mean
/// TTFT, TPOT, latency: Llama-3.1-8B on an RTX PRO 6000 -2.1, -0.6, -1.0 % (at mean contexts alone -10, -4.1, -5.7 %); Qwen3-30B-A3B on two with
/// expert parallelism -4.1, -0.4, -0.5 % (-17, -3.7, -4.2 %); Llama-3.1-8B on an RTX 4090, whose makers switch its uneven contexts off, +1.8, -0.2,
/// +1.3 % (with them +5.4, +3.2, +4.9 %).
///
/// Beyond the table's tokens, sequences or contexts its edge values are scaled; as soon as a step lies there, the seconds of that class of work count as
/// modelled.
///
/// `table` holds one GPU's share at this tensor parallelism. Throws UserError for a model that can't be served or has experts, latent or local
/// attention, for a tensor parallelism that it can't be split over, or for which the profile has no all-reduce.
std::unique_ptr<StepCosts> layer_table_costs(hardware::LayerTable table, const hardware::GpuProfile& gpu, const llm::Architecture& model,
                                             int tensor_parallel, const OperatingPoint& point, const EngineConfig& engine,
                                             const hardware::ServingResidual& residual = {}, const ClassFactors& factors = {});

}  // namespace joulecast::serving
