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
/// How accurate is this? Replaying 300 ShareGPT requests at 10/s on an RTX 4090 (Llama-3.1-8B, vLLM 0.19) gives mean TTFT +1.8 %,
/// TPOT -0.2 % and latency +1.3 % of the measured run from the full table, +2.2, +0.2 and +1.7 % from the shipped knots. Decode contexts are taken
/// at their mean in mixed steps too; the extra of a few uneven ones is worth 0.1 % of TPOT there.
///
/// `table` holds one GPU's share at this tensor parallelism. Throws UserError for a model that can't be served or has experts, latent or local
/// attention, for a tensor parallelism that it can't be split over, or for which the profile has no all-reduce.
std::unique_ptr<StepCosts> layer_table_costs(hardware::LayerTable table, const hardware::GpuProfile& gpu, const llm::Architecture& model,
                                             int tensor_parallel, const OperatingPoint& point, const EngineConfig& engine);

}  // namespace joulecast::serving
