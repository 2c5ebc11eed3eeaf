#include "llm/split.hpp"

#include <fmt/format.h>

#include "llm/layers.hpp"

namespace joulecast::llm {

void check_tensor_parallel(const Architecture& model, int t, const Place& place, ExpertSplit split) {
  const auto refuse = [&](const std::string& what) {
    throw UserError(
        place, fmt::format("{} can't be split over {} GPUs: {}", model.name, t, what),
        fmt::format("give a tensor parallelism that divides {} heads, for example {}", model.heads, model.heads % 2 == 0 ? "1 or 2" : "1"));
  };
  if (t < 1) refuse("tensor parallelism starts at 1");
  if (model.heads % t != 0) refuse(fmt::format("{} heads are no multiple of it", model.heads));
  const LayerCounts layers = count_layers(model);
  if (layers.dense > 0 && model.ffn % t != 0) refuse(fmt::format("the feed-forward width {} is no multiple of it", model.ffn));
  if (model.experts) {
    const auto& experts = *model.experts;
    if (experts.shared_width() % t != 0) refuse(fmt::format("the width {} of the shared experts is no multiple of it", experts.shared_width()));
    if (split == ExpertSplit::tensor && experts.ffn % t != 0) refuse(fmt::format("the experts' width {} is no multiple of it", experts.ffn));
    if (split == ExpertSplit::expert && experts.count % t != 0) refuse(fmt::format("{} experts are no multiple of it", experts.count));
  }
  if (!model.latent && model.kv_heads % t != 0 && t % model.kv_heads != 0)
    refuse(fmt::format("{} KV heads neither divide it nor are a multiple of it", model.kv_heads));
}

void check_servable(const Architecture& model, const Place& place) {
  const auto refuse = [&](const std::string& part) {
    throw UserError(place, fmt::format("{} can't be served: {} not supported in serving", model.name, part),
                    "choose a decoder with attention in every layer; `joulecast profiles` lists the models");
  };
  if (model.form == Form::encoder) refuse("it is an encoder, whose bidirectional attention is");
  if (model.form == Form::encoder_decoder) refuse("its encoder and the decoder's cross-attention are");
  if (model.mamba) refuse(fmt::format("the Mamba-2 state of {} of its {} layers is", count_layers(model).mamba, model.layers));
  if (!model.pattern.empty()) refuse("layers that are attention or feed-forward alone are");
}

}  // namespace joulecast::llm
