#include "training/memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "training/layer_work.hpp"
#include "training/real.hpp"
#include "training/stage_parameters.hpp"

namespace joulecast::training {

namespace {

constexpr double kGradientState = 4, kOptimizerState = 12;

/// Activations of one microbatch in one layer.
struct LayerActivations {
  double input = 0;  ///< what is kept where the layer is recomputed
  double full = 0;   ///< what the backward pass needs
};

LayerActivations layer_activations(const llm::Architecture& model, std::int64_t at, const Layout& layout) {
  const auto work = layer_work(model, layer_kind(model, at), layout);
  const double stream = work.residual_bytes / kValueBytes;
  const double whole = layout.sequence_parallel ? 1 / real(layout.tensor) : 1;
  // 10 s b h lie on every rank: inputs of the two norms (4), of the two sublayers (4) and masks of two dropouts (2).
  LayerActivations activations{work.residual_bytes * whole, 10 * stream * whole};
  for (const auto& scores : work.scores) {
    const double rows = scores.sequences * scores.heads * scores.rows;
    // 8 s b h/t: queries, keys, values and weighted values.
    activations.full += kValueBytes * (rows * (scores.query_head + scores.value_head) + scores.kv_elements);
    const bool kept = !layout.flash_attention && layout.recompute == Recompute::none;
    if (kept) activations.full += 5 * rows * scores.columns;
  }
  // 16 s b h/t for ffn = 4 h: the activation's input and output (a gated one has two inputs).
  activations.full += kValueBytes * (work.inner_elements * (model.gated ? 3 : 2) + work.copied_elements);
  return activations;
}

struct Named {
  std::string_view name;
  double bytes;
  std::string_view remedy;
};

std::array<Named, 5> parts(const StageMemory& memory) {
  return {Named{"weights", memory.weights, "more tensor or pipeline parallelism"},
          Named{"gradients", memory.gradients, "more tensor or pipeline parallelism, or method = \"lora\""},
          Named{"optimizer states", memory.optimizer,
                "the distributed optimizer (ZeRO-1) over more data-parallel ranks, or more tensor or pipeline parallelism"},
          Named{"activations", memory.activations, "a smaller microbatch, more recompute, sequence or context parallelism"},
          Named{"communication buffers", memory.collectives, "a GPU with more memory"}};
}

std::string gigabytes(double bytes) { return fmt::format("{:.1f} GB", bytes / 1e9); }

}  // namespace

std::vector<StageMemory> stage_memory(const hardware::GpuProfile& gpu, const llm::Architecture& model, const Layout& layout,
                                      const std::vector<double>& in_flight) {
  const auto parameters = stage_parameters(model, layout);
  JOULECAST_CHECK(in_flight.size() == parameters.size(), "microbatches in flight are given for every stage");
  const auto layers = layers_of_chunks(model, layout);
  std::vector<StageMemory> result(parameters.size());
  const double ranks = layout.distributed_optimizer ? real(layout.data * layout.context) : 1;
  for (std::size_t i = 0; i < result.size(); ++i) {
    const double trained = parameters[i].trained(layout.method);
    result[i].weights = kValueBytes * (parameters[i].total() + parameters[i].adapters);
    result[i].gradients = kGradientState * trained;
    result[i].optimizer = kOptimizerState * trained / ranks;
    if (layout.gpus() > 1) result[i].collectives = gpu.overhead.collectives.value.si();
  }
  std::int64_t at = 0;
  std::vector<double> largest(result.size());
  for (std::size_t chunk = 0; chunk < layers.size(); ++chunk) {
    const std::size_t stage = chunk % result.size();
    for (std::int64_t i = 0; i < layers[chunk]; ++i, ++at) {
      const auto layer = layer_activations(model, at, layout);
      result[stage].activations += in_flight[stage] * (layout.recompute == Recompute::full ? layer.input : layer.full);
      largest[stage] = std::max(largest[stage], layer.full);
    }
  }
  const auto embedding = embedding_work(model, layout);
  const double t = real(layout.tensor), stream = embedding.residual_bytes / kValueBytes;
  for (std::size_t i = 0; i < result.size(); ++i) {
    if (layout.recompute == Recompute::full) result[i].activations += largest[i];
  }
  result.front().activations += in_flight.front() * stream / t;
  result.back().activations += 4 * stream / t * (1 + real(model.vocab) / real(model.hidden));
  return result;
}

void check_memory(const hardware::GpuProfile& gpu, const llm::Architecture& model, const Layout& layout, const std::vector<double>& in_flight,
                  const Place& place) {
  const double capacity = gpu.memory.value.si();
  const auto memory = stage_memory(gpu, model, layout, in_flight);
  const auto worst = std::max_element(memory.begin(), memory.end(), [](const auto& a, const auto& b) { return a.total() < b.total(); });
  if (worst->total() <= capacity) return;

  auto named = parts(*worst);
  std::stable_sort(named.begin(), named.end(), [](const Named& a, const Named& b) { return a.bytes > b.bytes; });
  // The part that does not fit: the first one, in the order in which memory is taken, that goes beyond the capacity.
  double taken = 0;
  const auto order = parts(*worst);
  const auto over = std::find_if(order.begin(), order.end(), [&](const Named& part) { return (taken += part.bytes) > capacity; });
  std::string list;
  for (const auto& part : named) {
    if (part.bytes > 0) list += fmt::format("{}{} {}", list.empty() ? "" : ", ", part.name, gigabytes(part.bytes));
  }
  throw UserError(place,
                  fmt::format("the {} of stage {} of {} do not fit into {}'s {}: it needs {} ({}), {} too much", over->name, worst - memory.begin(),
                              model.name, gpu.name, gigabytes(capacity), gigabytes(worst->total()), list, gigabytes(worst->total() - capacity)),
                  fmt::format("try {}", named.front().bytes > over->bytes ? fmt::format("{}; or {}", over->remedy, named.front().remedy)
                                                                          : std::string(over->remedy)));
}

}  // namespace joulecast::training
