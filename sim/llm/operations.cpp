#include "llm/operations.hpp"

namespace joulecast::llm {

namespace {

/// Bytes a logit passes through memory in the sampler: bf16 read, fp32 written, then read for softmax and read again to pick.
constexpr double kSamplerBytesPerLogit = 2 + 4 + 4 + 4;

constexpr std::int64_t round_up(std::int64_t value, std::int64_t step) { return (value + step - 1) / step * step; }

}  // namespace

std::int64_t cuda_graph_tokens(std::int64_t tokens) {
  if (tokens <= 2) return tokens;
  if (tokens <= 4) return 4;
  if (tokens <= 256) return round_up(tokens, 8);
  if (tokens <= 512) return round_up(tokens, 16);
  return tokens;
}

StepOperations step_operations(const Architecture& model, int t, std::int64_t tokens, std::int64_t sampled) {
  StepOperations step;
  const std::int64_t heads = model.heads / t;
  const std::int64_t kv_heads = model.kv_heads_per_gpu(t);
  const std::int64_t ffn = model.ffn / t;
  const std::int64_t vocab = (model.vocab + t - 1) / t;
  step.layers = model.layers;
  step.layer_gemms = {Gemm{tokens, (heads + 2 * kv_heads) * model.head_dim, model.hidden}, Gemm{tokens, model.hidden, heads * model.head_dim},
                      Gemm{tokens, model.gated ? 2 * ffn : ffn, model.hidden}, Gemm{tokens, model.hidden, ffn}};
  step.lm_head = {sampled, vocab, model.hidden};
  step.attention = {heads, kv_heads, model.head_dim};

  const double value = static_cast<double>(model.bytes_per_value());
  const double rows = static_cast<double>(tokens);
  // A fused norm reads and writes the stream and the residual; rotary reads and writes q and k; k and v are copied to the cache; the activation
  // reads its one or two inputs and writes one.
  const double norms = 2.0 * 4.0 * static_cast<double>(model.hidden);
  const double rotary = 2.0 * static_cast<double>((heads + kv_heads) * model.head_dim);
  const double cache = 4.0 * static_cast<double>(kv_heads * model.head_dim);
  const double activation = (model.gated ? 3.0 : 2.0) * static_cast<double>(ffn);
  step.layer_elementwise_bytes = value * rows * (norms + rotary + cache + activation);
  const double embedding_and_norm = (2.0 + 4.0) * static_cast<double>(model.hidden);
  step.step_elementwise_bytes =
      value * rows * embedding_and_norm + kSamplerBytesPerLogit * static_cast<double>(sampled) * static_cast<double>(model.vocab);
  step.all_reduces = t > 1 ? 2 * model.layers + 1 : 0;
  step.all_reduce_bytes = tokens * model.hidden * model.bytes_per_value();
  return step;
}

}  // namespace joulecast::llm
