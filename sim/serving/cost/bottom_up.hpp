#pragma once

#include <memory>

#include "hardware/gpu.hpp"
#include "llm/split.hpp"
#include "serving/cost/operation_times.hpp"

namespace joulecast::serving {

/// Times added up from operations:
///   step = L*(qkv, o, gate_up, down)(T) + lm_head(S) + attention + elementwise bytes/bandwidth + (2L + 1) all-reduces(T) + host(S),
/// T = scheduled tokens padded to the CUDA graph, S = scheduled sequences; latent attention's projections and experts as llm::step_operations lists
/// them. Weights count in bytes as they are stored; products are taken at the bf16 rate whatever the weights' type, which is what mxfp4 does on
/// Hopper and slow for fp8 prompts.
///
/// How accurate is this on mixtures of experts? The kernels alone: see step_operations. Joules a token beside ml-energy v3's runs of vLLM 0.11 (92
/// rows on H100, lm-arena-chat and gpqa): 35 % too low (median), nine in ten within 54 %; Qwen3-30B-A3B on one and two GPUs within 12 %, Llama-4
/// Maverick 15 %, Qwen3-235B 15-36 %, gpt-oss-120b 35-41 % (its watts), fp8 40-57 %. What is missing there is time beside the kernels (sorting,
/// unbalanced and untuned experts, quantizing activations), and watts of mxfp4. Throws UserError for a model that can't be served, a tensor
/// parallelism that it can't be split over or for which the profile has no all-reduce.
std::unique_ptr<const OperationTimes> bottom_up_times(const hardware::GpuProfile& gpu, const llm::Architecture& model, int tensor_parallel,
                                                      llm::ExpertSplit split = llm::ExpertSplit::tensor);

}  // namespace joulecast::serving
