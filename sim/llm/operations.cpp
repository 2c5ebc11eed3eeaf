#include "llm/operations.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "llm/layers.hpp"

namespace joulecast::llm {

namespace {

/// Bytes a logit passes through memory in the sampler: bf16 read, fp32 written, then read for softmax and read again to pick.
constexpr double kSamplerBytesPerLogit = 2 + 4 + 4 + 4;

constexpr std::int64_t round_up(std::int64_t value, std::int64_t step) { return (value + step - 1) / step * step; }

/// Mean of the largest of n standard normal draws (Teichroew, Ann. Math. Statist. 27, 1956), linear in log2(n) between powers of two.
double largest_normal(std::int64_t n) {
  constexpr std::array means{0.0, 0.5642, 1.0294, 1.4236, 1.7660, 2.0697, 2.3437};
  const double at = std::min(std::log2(static_cast<double>(n)), static_cast<double>(means.size() - 1));
  const auto below = std::min(static_cast<std::size_t>(at), means.size() - 2);
  return means[below] + (at - static_cast<double>(below)) * (means[below + 1] - means[below]);
}

/// One GPU's share of the model in a step.
class Share {
 public:
  Share(const Architecture& model, int t, std::int64_t tokens, ExpertSplit split) : model_(model), t_(t), tokens_(tokens), split_(split) {}

  void add_attention(std::int64_t layers, std::vector<RepeatedGemm>& gemms) const {
    const std::int64_t heads = model_.heads / t_;
    if (!model_.latent) {
      add(gemms, layers, tokens_, (heads + 2 * model_.kv_heads_per_gpu(t_)) * model_.head_dim, model_.hidden);
      add(gemms, layers, tokens_, model_.hidden, heads * model_.head_dim);
      return;
    }
    const auto& latent = *model_.latent;
    add(gemms, layers, tokens_, latent.q_lora + latent.cached(), model_.hidden);
    add(gemms, layers, tokens_, heads * latent.query_head(), latent.q_lora > 0 ? latent.q_lora : model_.hidden);
    // The up-projections of keys and values, a matrix a head: into the query and out of the attention's result.
    add(gemms, layers, heads * tokens_, latent.kv_lora, latent.qk_nope, static_cast<double>(heads));
    add(gemms, layers, heads * tokens_, latent.v_head, latent.kv_lora, static_cast<double>(heads));
    add(gemms, layers, tokens_, model_.hidden, heads * latent.v_head);
  }

  void add_feed_forward(std::int64_t layers, std::int64_t width, std::vector<RepeatedGemm>& gemms) const {
    if (layers == 0 || width == 0) return;
    add(gemms, layers, tokens_, up(width), model_.hidden);
    add(gemms, layers, tokens_, model_.hidden, width);
  }

  void add_experts(std::int64_t layers, std::vector<RepeatedGemm>& gemms) const {
    if (layers == 0) return;
    const auto& experts = *model_.experts;
    Gemm router{tokens_, experts.count, model_.hidden, bytes(model_.dtype)};
    gemms.push_back({router, layers});
    const double reached = distinct_experts(experts.count, experts.per_token, tokens_) / (split_ == ExpertSplit::expert ? t_ : 1);
    const auto grouped = [&](std::int64_t n, std::int64_t k) {
      gemms.push_back({Gemm{expert_rows(), n, k, bytes(model_.weights.experts), reached}, layers, true});
    };
    grouped(up(expert_width()), model_.hidden);
    grouped(model_.hidden, expert_width());
    add_feed_forward(layers, experts.shared_width() / t_, gemms);
  }

  /// Values that a token moves through memory beside GEMMs and attention. A fused norm reads and writes the stream and the residual; rotary and the
  /// norm of heads read and write q and k; k and v are copied to the cache.
  double attention_values() const {
    const std::int64_t heads = model_.heads / t_, kv_heads = model_.kv_heads_per_gpu(t_);
    double values = 0;
    if (model_.latent) {
      const auto& latent = *model_.latent;
      values += 2.0 * static_cast<double>(latent.q_lora + latent.kv_lora) + 2.0 * static_cast<double>((heads + 1) * latent.qk_rope);
      return values + 2.0 * static_cast<double>(latent.cached());
    }
    if (model_.positions == Positions::rotary) values += 2.0 * static_cast<double>((heads + kv_heads) * model_.head_dim);
    if (model_.qk_norm) values += 2.0 * static_cast<double>((heads + kv_heads) * model_.head_dim);
    return values + 4.0 * static_cast<double>(kv_heads * model_.head_dim);
  }
  double norm_values() const { return static_cast<double>(model_.norms_per_layer) * 4.0 * static_cast<double>(model_.hidden); }
  /// The activation reads its one or two inputs and writes one.
  double activation_values(std::int64_t width) const { return (model_.gated ? 3.0 : 2.0) * static_cast<double>(width); }
  /// Activations of the visited experts, and the sum over a token's experts.
  double expert_values() const {
    const auto& experts = *model_.experts;
    const double local = split_ == ExpertSplit::expert ? 1.0 / t_ : 1.0;
    return local * static_cast<double>(experts.per_token) * activation_values(expert_width()) + activation_values(experts.shared_width() / t_) +
           static_cast<double>((experts.per_token + 1) * model_.hidden);
  }

 private:
  std::int64_t up(std::int64_t width) const { return model_.gated ? 2 * width : width; }
  std::int64_t expert_width() const { return split_ == ExpertSplit::expert ? model_.experts->ffn : model_.experts->ffn / t_; }
  std::int64_t expert_rows() const {
    const std::int64_t visits = tokens_ * model_.experts->per_token;
    return split_ == ExpertSplit::expert ? (visits + t_ - 1) / t_ : visits;
  }
  void add(std::vector<RepeatedGemm>& gemms, std::int64_t layers, std::int64_t m, std::int64_t n, std::int64_t k, double groups = 1) const {
    gemms.push_back({Gemm{m, n, k, bytes(model_.weights.linear), groups}, layers});
  }

  const Architecture& model_;
  int t_;
  std::int64_t tokens_;
  ExpertSplit split_;
};

}  // namespace

double distinct_experts(std::int64_t count, std::int64_t per_token, std::int64_t tokens) {
  const auto all = static_cast<double>(count);
  return all * (1 - std::pow(1 - static_cast<double>(per_token) / all, static_cast<double>(tokens)));
}

double fullest_rank_over_mean(std::int64_t count, std::int64_t per_token, std::int64_t tokens, std::int64_t ranks) {
  if (ranks <= 1) return 1;
  const double reached = distinct_experts(count, per_token, tokens) / static_cast<double>(count);
  const double held = static_cast<double>(count) / static_cast<double>(ranks);
  const double mean = held * reached;
  if (mean <= 0) return 1;
  return std::min(held, mean + largest_normal(ranks) * std::sqrt(mean * (1 - reached))) / mean;
}

std::int64_t cuda_graph_tokens(std::int64_t tokens) {
  if (tokens <= 2) return tokens;
  if (tokens <= 4) return 4;
  if (tokens <= 256) return round_up(tokens, 8);
  if (tokens <= 512) return round_up(tokens, 16);
  return tokens;
}

StepOperations step_operations(const Architecture& model, int t, std::int64_t tokens, std::int64_t sampled, ExpertSplit split) {
  const Share share(model, t, tokens, split);
  const LayerCounts layers = count_layers(model);
  StepOperations step;
  step.layers = model.layers;
  step.attention = attention_shape(model, t);
  step.full_attention_layers = layers.attention - layers.local;
  step.local_attention_layers = layers.local;
  step.expert_layers = layers.experts;
  step.window = model.local ? model.local->window : 0;
  share.add_attention(layers.attention, step.gemms);
  share.add_feed_forward(layers.dense, model.ffn / t, step.gemms);
  share.add_experts(layers.experts, step.gemms);
  step.lm_head = {sampled, (model.vocab + t - 1) / t, model.hidden, bytes(model.dtype)};

  double values = static_cast<double>(layers.attention) * (share.norm_values() + share.attention_values());
  values += static_cast<double>(layers.dense) * share.activation_values(model.ffn / t);
  if (layers.experts > 0) values += static_cast<double>(layers.experts) * share.expert_values();
  const double embedding_and_norm = (2.0 + 4.0) * static_cast<double>(model.hidden);
  step.token_elementwise_bytes = bytes(model.dtype) * static_cast<double>(tokens) * (values + embedding_and_norm);
  step.sequence_elementwise_bytes = kSamplerBytesPerLogit * static_cast<double>(sampled) * static_cast<double>(model.vocab);
  step.all_reduces = t > 1 ? (model.parallel_blocks ? 1 : 2) * model.layers + 1 : 0;
  step.all_reduce_bytes = tokens * model.hidden * model.bytes_per_value();
  return step;
}

}  // namespace joulecast::llm
