#include "training/stage_parameters.hpp"

#include "llm/parameters.hpp"
#include "training/layer_work.hpp"
#include "training/real.hpp"

namespace joulecast::training {

namespace {

/// One layer on one GPU.
StageParameters of_layer(const llm::Architecture& model, std::int64_t at, const Layout& layout) {
  const auto counts = at < model.encoder_layers ? llm::encoder_layer_parameters(model) : llm::layer_parameters(model, at - model.encoder_layers);
  const double t = real(layout.tensor);
  const double split = real(counts.attention + counts.feed_forward + counts.shared_experts + counts.mamba + counts.router - counts.replicated);
  StageParameters parameters;
  parameters.dense = split / t + real(counts.replicated + counts.vectors);
  parameters.experts = real(counts.experts + counts.expert_vectors) / t / real(layout.expert);
  if (layout.method == Method::lora) {
    for (const auto& each : layer_work(model, layer_kind(model, at), layout).adapters) parameters.adapters += each.n * each.k;
  }
  return parameters;
}

}  // namespace

std::vector<StageParameters> stage_parameters(const llm::Architecture& model, const Layout& layout) {
  const auto layers = layers_of_chunks(model, layout);
  const auto stages = static_cast<std::size_t>(layout.pipeline);
  std::vector<StageParameters> result(stages);
  std::int64_t at = 0;
  for (std::size_t chunk = 0; chunk < layers.size(); ++chunk) {
    auto& stage = result[chunk % stages];
    for (std::int64_t i = 0; i < layers[chunk]; ++i, ++at) {
      const auto layer = of_layer(model, at, layout);
      stage.dense += layer.dense;
      stage.experts += layer.experts;
      stage.adapters += layer.adapters;
    }
  }
  const double matrix = real(model.vocab) * real(model.hidden) / real(layout.tensor);
  const bool copies = stages > 1 || !model.tied;
  result.front().embedding += matrix;
  if (copies) result.back().embedding += matrix;
  for (auto& stage : result) stage.dense += stage.embedding;
  result.front().dense += real(model.learned_positions * model.hidden);
  if (model.final_norm) result.back().dense += real(model.hidden * (model.norm == llm::Norm::layer ? 2 : 1));
  return result;
}

}  // namespace joulecast::training
