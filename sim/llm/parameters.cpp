#include "llm/parameters.hpp"

#include <cmath>

#include "llm/layers.hpp"

namespace joulecast::llm {

namespace {

std::int64_t norm_width(const Architecture& model) { return model.hidden * (model.norm == Norm::layer ? 2 : 1); }

void add_latent_attention(const Architecture& model, ParameterCounts& counts) {
  const auto& latent = *model.latent;
  const std::int64_t down = model.hidden * (latent.q_lora + latent.cached());
  const std::int64_t queries = (latent.q_lora > 0 ? latent.q_lora : model.hidden) * model.heads * latent.query_head();
  const std::int64_t keys_and_values = latent.kv_lora * model.heads * (latent.qk_nope + latent.v_head);
  counts.attention += down + queries + keys_and_values + model.heads * latent.v_head * model.hidden;
  counts.replicated += down;
  counts.vectors += latent.q_lora + latent.kv_lora;
}

void add_attention(const Architecture& model, ParameterCounts& counts) {
  if (model.latent) return add_latent_attention(model, counts);
  counts.attention += model.hidden * model.head_dim * (2 * model.heads + 2 * model.kv_heads);
  if (model.biases.qkv) counts.vectors += model.head_dim * (model.heads + 2 * model.kv_heads);
  if (model.biases.output) counts.vectors += model.hidden;
  if (model.qk_norm) counts.vectors += 2 * model.head_dim;
  if (model.attention_sinks) counts.vectors += model.heads;
}

/// Matrices of a feed-forward layer of so many inner channels.
std::int64_t feed_forward(const Architecture& model, std::int64_t width) { return model.hidden * width * (model.gated ? 3 : 2); }
std::int64_t feed_forward_biases(const Architecture& model, std::int64_t width) { return width * (model.gated ? 2 : 1) + model.hidden; }

void add_dense(const Architecture& model, ParameterCounts& counts) {
  counts.feed_forward += feed_forward(model, model.ffn);
  if (model.biases.ffn) counts.vectors += feed_forward_biases(model, model.ffn);
}

void add_experts(const Architecture& model, ParameterCounts& counts) {
  const auto& experts = *model.experts;
  counts.experts += experts.count * feed_forward(model, experts.ffn);
  if (model.biases.experts) counts.expert_vectors += experts.count * feed_forward_biases(model, experts.ffn);
  counts.shared_experts += feed_forward(model, experts.shared_width());
  const std::int64_t router = model.hidden * experts.count + (experts.router_bias ? experts.count : 0);
  counts.router += router;
  counts.replicated += router;
}

/// in_proj (gate, values, B, C, step of each head), convolution with bias, A, D and step bias of each head, gated norm, out_proj.
void add_mamba(const Architecture& model, ParameterCounts& counts) {
  const auto& mamba = *model.mamba;
  counts.mamba += model.hidden * (mamba.inner() + mamba.conv_channels() + mamba.heads) + mamba.inner() * model.hidden;
  counts.vectors += mamba.conv_channels() * (mamba.conv + 1) + 3 * mamba.heads + mamba.inner();
}

}  // namespace

ParameterCounts& ParameterCounts::operator+=(const ParameterCounts& more) {
  attention += more.attention;
  feed_forward += more.feed_forward;
  shared_experts += more.shared_experts;
  experts += more.experts;
  router += more.router;
  mamba += more.mamba;
  vectors += more.vectors;
  expert_vectors += more.expert_vectors;
  embedding += more.embedding;
  unembedding += more.unembedding;
  other += more.other;
  replicated += more.replicated;
  return *this;
}

ParameterCounts layer_parameters(const Architecture& model, std::int64_t index) {
  const Layer each = layer(model, index);
  ParameterCounts counts;
  if (each.attention) add_attention(model, counts);
  if (each.cross) add_attention(model, counts);
  if (each.mamba) add_mamba(model, counts);
  if (each.feed_forward == Layer::FeedForward::dense) add_dense(model, counts);
  if (each.feed_forward == Layer::FeedForward::experts) add_experts(model, counts);
  counts.vectors += norm_width(model) * (model.norms_per_layer + (each.cross ? 1 : 0));
  return counts;
}

ParameterCounts encoder_layer_parameters(const Architecture& model) {
  ParameterCounts counts;
  add_attention(model, counts);
  add_dense(model, counts);
  counts.vectors += norm_width(model) * model.norms_per_layer;
  return counts;
}

ParameterCounts parameter_counts(const Architecture& model) {
  ParameterCounts counts;
  for (std::int64_t i = 0; i < model.layers; ++i) counts += layer_parameters(model, i);
  for (std::int64_t i = 0; i < model.encoder_layers; ++i) counts += encoder_layer_parameters(model);
  const std::int64_t final_norms = model.form == Form::encoder_decoder ? 2 : 1;
  counts.vectors += norm_width(model) * ((model.final_norm ? final_norms : 0) + (model.embedding_norm ? 1 : 0));
  counts.vectors += model.learned_positions * model.hidden;
  counts.embedding = model.vocab * model.hidden;
  counts.unembedding = model.tied ? 0 : counts.embedding;
  counts.other = model.other.count;
  return counts;
}

std::int64_t Architecture::parameters() const { return parameter_counts(*this).total(); }

std::int64_t Architecture::active_parameters() const {
  const ParameterCounts counts = parameter_counts(*this);
  std::int64_t active = counts.total() - counts.experts - counts.expert_vectors - (other.active ? 0 : counts.other);
  if (experts) active += (counts.experts + counts.expert_vectors) / experts->count * experts->per_token;
  return active - (active_leaves_embedding_out ? counts.embedding : 0);
}

std::int64_t Architecture::weight_bytes() const {
  const ParameterCounts counts = parameter_counts(*this);
  const std::int64_t linear = counts.attention + counts.feed_forward + counts.shared_experts + counts.mamba;
  const std::int64_t rest = counts.total() - linear - counts.experts;
  return std::llround(static_cast<double>(linear) * bytes(weights.linear) + static_cast<double>(counts.experts) * bytes(weights.experts) +
                      static_cast<double>(rest) * bytes(dtype));
}

double Architecture::weight_bytes_per_gpu(int t) const {
  const ParameterCounts counts = parameter_counts(*this);
  const double whole =
      static_cast<double>(counts.router) * bytes(dtype) + static_cast<double>(counts.replicated - counts.router) * bytes(weights.linear);
  const double share = 1.0 / t;
  return static_cast<double>(weight_bytes()) / t + whole * (1 - share);
}

}  // namespace joulecast::llm
