#include "hardware/layer_table.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace joulecast::hardware {

LayerTable::LayerTable(About about, std::array<std::optional<Curve>, kLayers> layers, Attention attention)
    : about_(std::move(about)), layers_(std::move(layers)), attention_(std::move(attention)) {
  for (int i = 0; i < kLayers; ++i) {
    const auto layer = static_cast<Layer>(i);
    JOULECAST_CHECK(has(layer) || layer == Layer::qk_norm, "a layer table has every layer but qk_norm");
  }
}

double LayerTable::dense(Layer layer, double tokens) const {
  const auto& curve = layers_[static_cast<std::size_t>(layer)];
  return curve ? curve->at(tokens) : 0;
}

double LayerTable::prefill(double chunk, double context) const {
  const auto work = [](double tokens, double before) { return tokens * (before + tokens / 2); };
  const auto& rows = attention_.prefill.rows();
  const double inner_chunk = std::min(chunk, rows.back());
  const double inner_context = std::min(context, attention_.prefill.curves().back().last());
  const double inner = attention_.prefill.at(inner_chunk, inner_context);
  if (chunk == inner_chunk && context == inner_context) return inner;
  return inner * (work(chunk, context) / work(inner_chunk, inner_context));
}

double LayerTable::attention(double chunk, double context, double sequences, double mean) const {
  JOULECAST_CHECK(chunk > 0 || sequences > 0, "attention of a step without work was asked for");
  if (chunk <= 0) return attention_.decode.at(sequences, mean);
  const double alone = prefill(chunk, context);
  if (sequences <= 0) return alone;
  const double beside = attention_.mixed.at(sequences, mean) - prefill(attention_.mixed_chunk, 0);
  return alone + std::max(0.0, beside);
}

}  // namespace joulecast::hardware
