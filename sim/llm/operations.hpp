#pragma once

#include <cstdint>
#include <vector>

#include "llm/architecture.hpp"
#include "llm/attention_shape.hpp"
#include "llm/gemm.hpp"
#include "llm/split.hpp"

namespace joulecast::llm {

/// What one GPU does in a step of `tokens` tokens (padded to the CUDA graph) of which `sampled` sequences reach lm_head and the sampler, at tensor
/// parallelism t. Attention's contexts are the caller's.
struct StepOperations {
  std::int64_t layers = 0;
  std::vector<RepeatedGemm> gemms;  ///< of all layers; a dense model's are qkv, o, gate_up, down
  Gemm lm_head;
  AttentionShape attention;
  std::int64_t full_attention_layers = 0, local_attention_layers = 0;
  std::int64_t window = 0;                ///< of local layers
  double token_elementwise_bytes = 0;     ///< embedding, norms with their residuals, rotary, cache, activation, sums over experts
  double sequence_elementwise_bytes = 0;  ///< logits in the sampler
  std::int64_t expert_layers = 0;
  std::int64_t all_reduces = 0;       ///< at t > 1 two a layer (one with parallel blocks) and one of the embedding, 0 else
  std::int64_t all_reduce_bytes = 0;  ///< of each
};

/// Of a model that can be served (check_servable) and split (check_tensor_parallel).
///
/// Mixture of experts: router, then grouped GEMMs over the experts that the tokens reach (distinct_experts), shared experts as a dense layer.
/// `tensor` cuts each expert's width; `expert` gives each GPU count/t whole experts and its even share of the tokens' visits. Without data
/// parallelism both end in the same all-reduce.
/// How accurate is this? With the profile's GEMM form beside vLLM's fused kernel on an H200 (ai-dynamo/aiconfigurator, bf16, one GPU, balanced): 3-9
/// % (median) up to 1024 tokens, 20 % too fast above; with routing as uneven as a power law of 1.2 7-17 % and 30 %.
StepOperations step_operations(const Architecture& model, int t, std::int64_t tokens, std::int64_t sampled, ExpertSplit split = ExpertSplit::tensor);

/// Tokens padded to the next CUDA-graph size of vLLM V1: 1, 2, 4, 8, then by 8 to 256, by 16 to 512; above that as they are.
std::int64_t cuda_graph_tokens(std::int64_t tokens);

}  // namespace joulecast::llm
