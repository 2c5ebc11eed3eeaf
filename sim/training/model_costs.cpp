#include "training/model_costs.hpp"

#include <map>
#include <utility>
#include <vector>

#include "training/layer_pass.hpp"
#include "training/layer_work.hpp"
#include "training/stage_parameters.hpp"
#include "training/stage_update.hpp"

namespace joulecast::training {

namespace {

using hardware::Collective;

/// The layers of a chunk: kinds of layers with their numbers, and what its ends do.
struct Chunk {
  std::vector<std::pair<LayerKind, std::int64_t>> layers;
  bool embeds = false, unembeds = false;
  bool sends_forward = false, sends_backward = false;

  friend bool operator==(const Chunk&, const Chunk&) = default;
};

std::vector<Chunk> chunks_of(const llm::Architecture& model, const Layout& layout) {
  const auto layers = layers_of_chunks(model, layout);
  std::vector<Chunk> chunks(layers.size());
  std::int64_t at = 0;
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    for (std::int64_t end = at + layers[i]; at < end; ++at) {
      const auto kind = layer_kind(model, at);
      auto& list = chunks[i].layers;
      if (!list.empty() && list.back().first == kind) {
        ++list.back().second;
      } else {
        list.emplace_back(kind, 1);
      }
    }
    chunks[i].embeds = i == 0;
    chunks[i].unembeds = i + 1 == chunks.size();
    chunks[i].sends_forward = i + 1 < chunks.size() && layout.pipeline > 1;
    chunks[i].sends_backward = i > 0 && layout.pipeline > 1;
  }
  return chunks;
}

class Maker {
 public:
  Maker(const hardware::GpuProfile& gpu, const llm::Architecture& model, const Layout& layout, const hardware::CollectiveTimes& collectives,
        std::int64_t gpus_per_node, const ClockSettings& settings)
      : gpu_(training_power(gpu)),
        model_(model),
        layout_(layout),
        collectives_(collectives),
        times_(gpu_),
        groups_(rank_groups(layout, gpus_per_node)),
        passes_(times_, layout, groups_, collectives),
        points_(gpu_, settings) {
    if (layout.pipeline > 1) message_ = message_seconds();
  }

  IterationParts make() {
    const auto chunks = chunks_of(model_, layout_);
    const auto stages = static_cast<std::size_t>(layout_.pipeline);
    std::vector<std::size_t> of(chunks.size());  // the first equal chunk
    std::vector<ChunkKinds> kinds(chunks.size());
    for (std::size_t i = 0; i < chunks.size(); ++i) {
      of[i] = i;
      for (std::size_t j = 0; j < i; ++j) {
        if (chunks[j] == chunks[i]) {
          of[i] = of[j];
          break;
        }
      }
      kinds[i] = of[i] == i ? make_chunk(chunks[i]) : kinds[of[i]];
    }
    parts_.stages.resize(stages);
    for (std::size_t i = 0; i < chunks.size(); ++i) parts_.stages[i % stages].chunks.push_back(kinds[i]);
    add_updates();
    parts_.blocking.assign(stages, static_cast<double>(layout_.gpus_per_stage()) * gpu_.idle.spin_wait.value);
    parts_.gpus_per_stage = static_cast<std::int32_t>(layout_.gpus_per_stage());
    if (layout_.overlap_p2p) parts_.forward_message = parts_.backward_message = FixedTime::from_units(message_);
    return std::move(parts_);
  }

 private:
  double message_seconds() const {
    const double residual = kValueBytes * static_cast<double>(layout_.micro_batch_size * layout_.seq_length / layout_.context * model_.hidden);
    double seconds = collectives_.seconds(Collective::send, residual / static_cast<double>(layout_.tensor), groups_.stages);
    if (layout_.tensor > 1 && !layout_.sequence_parallel) seconds += collectives_.seconds(Collective::all_gather, residual, groups_.tensor);
    return seconds;
  }

  const LayerPasses& of_layer(const LayerKind& kind) {
    const auto [at, added] = layers_.try_emplace({kind.encoder, kind.index});
    if (added) at->second = passes_.of(layer_work(model_, kind, layout_));
    return at->second;
  }

  std::int32_t add(const std::vector<RepeatedPass>& passes) {
    parts_.costs.push_back(points_.of(passes, layout_.gpus_per_stage()));
    return static_cast<std::int32_t>(parts_.costs.size()) - 1;
  }

  /// The ends are not recomputed, their launches stand beside the layers', and the one all-reduce of each is of the embedding's output and of the
  /// gradient of the unembedding's input.
  LayerPasses end(const LayerWork& work) const {
    auto layer = passes_.of(work);
    layer.recomputed.work.clear();
    layer.forward.host = layer.backward.host = layer.backward_input.host = layer.backward_weight.host = 0;
    return layer;
  }
  LayerPasses embedding() const {
    auto layer = end(embedding_work(model_, layout_));
    for (auto* each : {&layer.backward, &layer.backward_input}) {
      std::erase_if(each->work, [this](const TimedWork& work) { return work.work == Work::collective || layout_.method == Method::lora; });
    }
    return layer;
  }
  LayerPasses unembedding() const {
    auto layer = end(unembedding_work(model_, layout_));
    std::erase_if(layer.forward.work, [](const TimedWork& work) { return work.work == Work::collective; });
    return layer;
  }

  ChunkKinds make_chunk(const Chunk& chunk) {
    std::vector<RepeatedPass> forward, backward, input, weight;
    const auto add_layer = [&](const LayerPasses& layer, double times) {
      forward.push_back({layer.forward, times});
      for (auto* each : {&backward, &input}) {
        if (!layer.recomputed.work.empty()) each->push_back({layer.recomputed, times});
      }
      backward.push_back({layer.backward, times});
      input.push_back({layer.backward_input, times});
      weight.push_back({layer.backward_weight, times});
    };
    for (const auto& [kind, number] : chunk.layers) add_layer(of_layer(kind), static_cast<double>(number));
    if (chunk.embeds) add_layer(embedding(), 1);
    if (chunk.unembeds) add_layer(unembedding(), 1);
    if (!layout_.overlap_p2p) {
      const RepeatedPass message{{{times_.collective(message_, false)}, 0}, 1};
      if (chunk.sends_forward) forward.push_back(message);
      if (chunk.sends_backward) {
        backward.push_back(message);
        input.push_back(message);
      }
    }
    return {add(forward), add(backward), add(input), add(weight)};
  }

  void add_updates() {
    const auto parameters = stage_parameters(model_, layout_);
    for (std::size_t i = 0; i < parts_.stages.size(); ++i) {
      auto& stage = parts_.stages[i];
      double forward = 0, backward = 0;
      for (const auto& chunk : stage.chunks) {
        forward += parts_.costs[static_cast<std::size_t>(chunk.forward)].front().time.units();
        backward += parts_.costs[static_cast<std::size_t>(chunk.backward)].front().time.units();
      }
      const bool end = i == 0 || i + 1 == parts_.stages.size();
      const bool shares_embedding = model_.tied && end && parts_.stages.size() > 1;
      const auto update = stage_update(parameters[i], layout_, shares_embedding, backward, forward, times_, groups_, collectives_);
      if (!update.gradient_sync.empty()) stage.gradient_sync = add(update.gradient_sync);
      stage.optimizer = add(update.optimizer);
    }
  }

  hardware::GpuProfile gpu_;
  const llm::Architecture& model_;
  const Layout& layout_;
  const hardware::CollectiveTimes& collectives_;
  WorkTimes times_;
  RankGroups groups_;
  PassMaker passes_;
  OperatingPoints points_;
  double message_ = 0;
  std::map<std::pair<bool, std::int64_t>, LayerPasses> layers_;
  IterationParts parts_;
};

}  // namespace

hardware::CollectiveOptions collective_options(const hardware::GpuProfile& gpu) {
  hardware::CollectiveOptions options;
  if (gpu.training) options.nic_efficiency = gpu.training->fitted.nic.value;
  return options;
}

IterationParts model_costs(const hardware::GpuProfile& gpu, const llm::Architecture& model, const Layout& layout,
                           const hardware::CollectiveTimes& collectives, std::int64_t gpus_per_node, const ClockSettings& settings) {
  return Maker(gpu, model, layout, collectives, gpus_per_node, settings).make();
}

}  // namespace joulecast::training
