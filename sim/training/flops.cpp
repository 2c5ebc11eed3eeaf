#include "training/flops.hpp"

#include "training/layer_work.hpp"

namespace joulecast::training {

namespace {

/// One microbatch's forward pass on one GPU.
struct ForwardFlops {
  double matrices = 0, adapters = 0, scores = 0;
};

ForwardFlops forward_flops(const LayerWork& work) {
  ForwardFlops flops;
  for (const auto& each : work.matrices) flops.matrices += each.times * each.flops();
  for (const auto& each : work.adapters) flops.adapters += each.times * each.flops();
  for (const auto& each : work.scores) {
    flops.scores += 2 * each.sequences * each.heads * each.rows * each.columns * (each.query_head + each.value_head);
  }
  return flops;
}

}  // namespace

IterationFlops iteration_flops(const llm::Architecture& model, const Layout& layout) {
  ForwardFlops layers;
  for (std::int64_t at = 0; at < pipeline_layers(model); ++at) {
    const auto layer = forward_flops(layer_work(model, layer_kind(model, at), layout));
    layers.matrices += layer.matrices;
    layers.adapters += layer.adapters;
    layers.scores += layer.scores;
  }
  const double vocabulary = forward_flops(unembedding_work(model, layout)).matrices;
  const double frozen = layout.method == Method::lora ? 2 : 3;
  double model_flops = frozen * (layers.matrices + vocabulary) + 3 * (layers.adapters + layers.scores);
  double again = 0;
  if (layout.recompute == Recompute::full) again = layers.matrices + layers.adapters + layers.scores;
  if (layout.recompute == Recompute::selective && !layout.flash_attention) again = layers.scores;
  const double copies = static_cast<double>(layout.gpus_per_stage() * layout.data * layout.microbatches());
  return {model_flops * copies, (model_flops + again) * copies};
}

Utilisation utilisation(const IterationFlops& flops, double seconds, std::int64_t gpus, FlopsPerSecond peak) {
  const double most = seconds * static_cast<double>(gpus) * peak.si();
  return {flops.model / most, flops.hardware / most};
}

}  // namespace joulecast::training
