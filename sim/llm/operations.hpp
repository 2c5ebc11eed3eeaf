#pragma once

#include <array>
#include <cstdint>

#include "llm/architecture.hpp"

namespace joulecast::llm {

/// C[m,n] = A[m,k] B[k,n] on one GPU; m are tokens.
struct Gemm {
  std::int64_t m = 0, n = 0, k = 0;

  double flops() const { return 2.0 * static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k); }
  /// Both inputs and the output once.
  double bytes(std::int64_t bytes_per_value) const { return static_cast<double>(bytes_per_value) * static_cast<double>(m * k + k * n + m * n); }
};

/// Shape of one layer's attention on one GPU.
struct AttentionShape {
  std::int64_t heads = 0, kv_heads = 0, head_dim = 0;
};

/// What one GPU does in a step of `tokens` tokens (padded to the CUDA graph) of which `sampled` sequences reach lm_head and the sampler, at tensor
/// parallelism t. Attention's contexts are the caller's.
struct StepOperations {
  std::int64_t layers = 0;
  std::array<Gemm, 4> layer_gemms;  ///< qkv, o, gate_up, down; each once a layer
  Gemm lm_head;
  AttentionShape attention;
  double layer_elementwise_bytes = 0;  ///< two norms with their residuals, rotary, activation
  double step_elementwise_bytes = 0;   ///< embedding, final norm, logits in the sampler
  std::int64_t all_reduces = 0;        ///< 2L + 1 at t > 1 (o, down, embedding), 0 else
  std::int64_t all_reduce_bytes = 0;   ///< of each
};

StepOperations step_operations(const Architecture& model, int t, std::int64_t tokens, std::int64_t sampled);

/// Tokens padded to the next CUDA-graph size of vLLM V1: 1, 2, 4, 8, then by 8 to 256, by 16 to 512; above that as they are.
std::int64_t cuda_graph_tokens(std::int64_t tokens);

}  // namespace joulecast::llm
