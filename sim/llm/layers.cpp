#include "llm/layers.hpp"

namespace joulecast::llm {

Layer layer(const Architecture& model, std::int64_t index) {
  Layer result;
  const std::int64_t number = index + 1;
  if (!model.pattern.empty()) {
    const char kind = model.pattern[static_cast<std::size_t>(index)];
    result.attention = kind == '*';
    result.mamba = kind == 'M';
    result.feed_forward = kind == '-' ? Layer::FeedForward::dense : Layer::FeedForward::none;
    return result;
  }
  if (model.local) result.local = model.local->full_every == 0 || number % model.local->full_every != 0;
  result.cross = model.form == Form::encoder_decoder;
  if (model.experts && index >= model.experts->dense_first && number % model.experts->every == 0) {
    result.feed_forward = Layer::FeedForward::experts;
  }
  return result;
}

LayerCounts count_layers(const Architecture& model) {
  LayerCounts counts;
  for (std::int64_t i = 0; i < model.layers; ++i) {
    const Layer each = layer(model, i);
    counts.attention += each.attention ? 1 : 0;
    counts.local += each.local ? 1 : 0;
    counts.cross += each.cross ? 1 : 0;
    counts.mamba += each.mamba ? 1 : 0;
    counts.dense += each.feed_forward == Layer::FeedForward::dense ? 1 : 0;
    counts.experts += each.feed_forward == Layer::FeedForward::experts ? 1 : 0;
  }
  return counts;
}

}  // namespace joulecast::llm
