#include "training/layer_work.hpp"

#include <algorithm>
#include <cmath>

#include "llm/layers.hpp"
#include "training/real.hpp"

namespace joulecast::training {

namespace {

/// Bytes a token and hidden channel of norms, dropouts and residuals pass through memory in a layer's forward pass, 16 bits a value, and those of
/// each inner channel of the activation: the input (two where it is gated) read, the output written.
constexpr double kResidualBytes = 22, kActivationBytes = 4, kGatedActivationBytes = 6;
/// Logits: read as 16 bits, written as fp32, read for the largest and again for the sum.
constexpr double kLossBytes = 2 + 4 + 4 + 4;
/// A row of the embedding read, written, and read and written in the dropout.
constexpr double kEmbeddingBytes = 8;

/// The layer of one GPU as it is put together.
class LayerBuilder {
 public:
  LayerBuilder(const llm::Architecture& model, const Layout& layout)
      : model_(model),
        layout_(layout),
        t_(real(layout.tensor)),
        tokens_(real(layout.micro_batch_size) * real(layout.seq_length) / real(layout.context)),
        hidden_(real(model.hidden)) {
    work_.residual_bytes = kValueBytes * tokens_ * hidden_;
  }

  /// Splits the columns of a [k, n] matrix, or its rows.
  void column(double n, double k) { work_.matrices.push_back({tokens_, n / t_, k}); }
  void row(double n, double k) { work_.matrices.push_back({tokens_, n, k / t_}); }
  void whole(double n, double k) { work_.matrices.push_back({tokens_, n, k}); }
  void adapter(double n, double k, bool splits_columns) {
    if (layout_.method != Method::lora) return;
    const double rank = real(layout_.lora_rank);
    work_.adapters.push_back({tokens_, rank, splits_columns ? k : k / t_});
    work_.adapters.push_back({tokens_, splits_columns ? n / t_ : n, rank});
  }

  void attention(bool causal, double window) {
    const double heads = real(model_.heads), kv_heads = std::max(real(model_.kv_heads), t_);
    double query_head = real(model_.head_dim), value_head = query_head, kv_width = 2 * kv_heads * query_head / t_;
    if (model_.latent) {
      const auto& latent = *model_.latent;
      query_head = real(latent.query_head());
      value_head = real(latent.v_head);
      kv_width = real(latent.cached());
      if (latent.q_lora > 0) whole(real(latent.q_lora), hidden_);
      whole(real(latent.cached()), hidden_);
      column(heads * query_head, latent.q_lora > 0 ? real(latent.q_lora) : hidden_);
      column(heads * real(latent.qk_nope + latent.v_head), real(latent.kv_lora));
    } else {
      const double n = (heads + 2 * kv_heads) * query_head;
      column(n, hidden_);
      adapter(n, hidden_, true);
    }
    row(hidden_, heads * value_head);
    adapter(hidden_, heads * value_head, false);
    scores(heads, query_head, value_head, causal, window, kv_width);
    work_.all_reduces += 1;
  }

  void feed_forward(double width) {
    column((model_.gated ? 2 : 1) * width, hidden_);
    row(hidden_, width);
    activation(width);
  }

  void experts() {
    const auto& experts = *model_.experts;
    whole(real(experts.count), hidden_);
    const double chosen = real(experts.per_token), local = real(experts.count / layout_.expert), width = real(experts.ffn);
    const double each = tokens_ * chosen / local;  // tokens from all ranks that share the experts, spread evenly
    work_.matrices.push_back({each, (model_.gated ? 2 : 1) * width / t_, hidden_, local});
    work_.matrices.push_back({each, hidden_, width / t_, local});
    activation(chosen * width);
    // Tokens are copied to their experts' order and added up again: read and written, 16 bits, each way.
    work_.copied_elements += chosen * tokens_ * hidden_ / t_;
    work_.elementwise_bytes += 8 * chosen * tokens_ * hidden_ / t_;
    if (const auto shared = experts.shared_width(); shared > 0) feed_forward(real(shared));
    if (layout_.expert > 1) work_.all_to_all_bytes += chosen * work_.residual_bytes / (layout_.sequence_parallel ? t_ : 1);
  }

  /// Projections as GEMMs; the scan as memory traffic of its inputs, read and written by convolution, scan and gated norm.
  void mamba() {
    const auto& mamba = *model_.mamba;
    const double inner = real(mamba.inner()), channels = real(mamba.conv_channels());
    column(inner + channels + real(mamba.heads), hidden_);
    row(hidden_, inner);
    work_.elementwise_bytes += tokens_ * (4 * channels + 12 * inner) / t_;
    work_.all_reduces += 1;
  }

  void activation(double width) {
    work_.inner_elements += tokens_ * width / t_;
    work_.elementwise_bytes += (model_.gated ? kGatedActivationBytes : kActivationBytes) * tokens_ * width / t_;
  }
  void residual(double share = 1) { work_.elementwise_bytes += share * kResidualBytes * tokens_ * hidden_ / (layout_.sequence_parallel ? t_ : 1); }
  void feed_forward_reduced() { work_.all_reduces += model_.parallel_blocks ? 0 : 1; }
  void elementwise(double bytes) { work_.elementwise_bytes += bytes; }
  void all_reduce() { work_.all_reduces += 1; }

  double tokens() const { return tokens_; }
  double t() const { return t_; }
  LayerWork take() { return std::move(work_); }

 private:
  void scores(double heads, double query_head, double value_head, bool causal, double window, double kv_width) {
    const double keys = real(layout_.seq_length);
    Scores scores{real(layout_.micro_batch_size), heads / t_, keys / real(layout_.context), keys, query_head, value_head, 1, tokens_ * kv_width};
    if (window > 0 && window < keys) {
      scores.seen = causal ? window * (keys - window / 2) / (keys * keys) : std::min(1.0, 2 * window / keys);
    } else if (causal) {
      scores.seen = 0.5;
    }
    work_.scores.push_back(scores);
  }

  const llm::Architecture& model_;
  const Layout& layout_;
  double t_, tokens_, hidden_;
  LayerWork work_;
};

bool causal(const llm::Architecture& model) { return model.form != llm::Form::encoder; }

}  // namespace

LayerKind layer_kind(const llm::Architecture& model, std::int64_t at) {
  if (at < model.encoder_layers) return {true, 0};
  const std::int64_t index = at - model.encoder_layers;
  const auto same = [](const llm::Layer& a, const llm::Layer& b) {
    return a.attention == b.attention && a.local == b.local && a.cross == b.cross && a.mamba == b.mamba && a.feed_forward == b.feed_forward;
  };
  const auto wanted = llm::layer(model, index);
  for (std::int64_t i = 0; i < index; ++i) {
    if (same(llm::layer(model, i), wanted)) return {false, i};
  }
  return {false, index};
}

LayerWork layer_work(const llm::Architecture& model, const LayerKind& kind, const Layout& layout) {
  LayerBuilder builder(model, layout);
  // A layer of a pattern is one mixer with one residual, half of a block of attention and feed-forward layer.
  builder.residual(model.pattern.empty() ? 1 : 0.5);
  if (kind.encoder) {
    builder.attention(false, 0);
    builder.feed_forward(static_cast<double>(model.ffn));
    builder.feed_forward_reduced();
    return builder.take();
  }
  const auto layer = llm::layer(model, kind.index);
  if (layer.attention) builder.attention(causal(model), layer.local ? static_cast<double>(model.local->window) : 0);
  if (layer.cross) {
    // As many tokens from the encoder as the decoder has; a norm, a residual and a dropout more: half of what a layer of two has.
    builder.attention(false, 0);
    builder.residual(0.5);
  }
  if (layer.mamba) builder.mamba();
  if (layer.feed_forward == llm::Layer::FeedForward::dense) builder.feed_forward(static_cast<double>(model.ffn));
  if (layer.feed_forward == llm::Layer::FeedForward::experts) builder.experts();
  if (layer.feed_forward != llm::Layer::FeedForward::none) builder.feed_forward_reduced();
  return builder.take();
}

LayerWork unembedding_work(const llm::Architecture& model, const Layout& layout) {
  LayerBuilder builder(model, layout);
  const double vocab = std::ceil(static_cast<double>(model.vocab) / builder.t()) * builder.t();
  builder.column(vocab, static_cast<double>(model.hidden));
  builder.elementwise(kLossBytes * builder.tokens() * vocab / builder.t());
  builder.all_reduce();
  return builder.take();
}

LayerWork embedding_work(const llm::Architecture& model, const Layout& layout) {
  LayerBuilder builder(model, layout);
  builder.elementwise(kEmbeddingBytes * builder.tokens() * static_cast<double>(model.hidden));
  builder.all_reduce();
  return builder.take();
}

}  // namespace joulecast::training
