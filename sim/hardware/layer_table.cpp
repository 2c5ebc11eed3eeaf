#include "hardware/layer_table.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace joulecast::hardware {

LayerTable::LayerTable(About about, std::array<std::optional<Curve>, kLayers> layers, Attention attention, Extras extras)
    : about_(std::move(about)), layers_(std::move(layers)), attention_(std::move(attention)), extras_(std::move(extras)) {
  for (int i = 0; i < kLayers; ++i) {
    const auto layer = static_cast<Layer>(i);
    JOULECAST_CHECK(has(layer) || layer == Layer::qk_norm || (has_experts() && is_feed_forward(layer)),
                    "a layer table has every layer but qk_norm, and experts in place of a feed-forward layer");
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

double LayerTable::uneven_seconds(bool beside_chunk, double sequences, const ContextSpread& spread) const {
  const double alpha = extras_.uneven.alpha(beside_chunk, sequences, spread.share_of_long());
  if (alpha <= 0) return 0;
  const Surface& times = beside_chunk ? attention_.mixed : attention_.decode;
  return std::max(0.0, alpha * (times.at(sequences, spread.longest) - times.at(sequences, spread.mean)));
}

bool LayerTable::covers_tokens(double tokens) const {
  const bool experts = !extras_.experts || tokens <= extras_.experts->rows().back();
  const auto holds = [&](Layer layer) { return !has(layer) || tokens <= layers_[static_cast<std::size_t>(layer)]->last(); };
  return experts && holds(Layer::qkv_proj) && holds(Layer::gate_up_proj);
}

bool LayerTable::covers_decode(double sequences, double context) const {
  return sequences <= attention_.decode.rows().back() && context <= attention_.decode.curves().back().last();
}

bool LayerTable::covers_chunk(double tokens, double context) const {
  return tokens <= attention_.prefill.rows().back() && context <= attention_.prefill.curves().back().last();
}

double LayerTable::experts(double tokens, double active) const {
  JOULECAST_CHECK(has_experts(), "this layer table has no experts");
  return extras_.experts->at(tokens, active);
}

}  // namespace joulecast::hardware
