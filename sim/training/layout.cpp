#include "training/layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <string>
#include <utility>

namespace joulecast::training {

namespace {

constexpr std::array<std::string_view, 3> kRecomputes{"none", "selective", "full"};
constexpr std::array<std::string_view, 2> kMethods{"pretrain", "lora"};

template <class E, std::size_t n>
std::optional<E> find(const std::array<std::string_view, n>& names, std::string_view wanted) {
  const auto at = std::find(names.begin(), names.end(), wanted);
  if (at == names.end()) return std::nullopt;
  return static_cast<E>(at - names.begin());
}

/// Collects the faults of one layout.
class Rules {
 public:
  Rules(const Place& place, config::Diagnostics& diagnostics) : place_(place), diagnostics_(diagnostics) {}

  void refuse(std::string what, std::string remedy) { diagnostics_.error(place_, std::move(what), std::move(remedy)); }
  void positive(std::string_view key, std::int64_t value) {
    if (value >= 1) return;
    refuse(fmt::format("{} is {}", key, value), "give at least 1");
    sound_ = false;
  }
  /// `whole` must be a multiple of `parts`.
  void divides(const std::string& whole_name, std::int64_t whole, const std::string& parts_name, std::int64_t parts) {
    if (whole % parts != 0) {
      refuse(fmt::format("{} {} can't be divided by {} {}", whole, whole_name, parts_name, parts),
             fmt::format("give a {} that divides {}", parts_name, whole));
    }
  }
  /// Every size is at least 1: the rules that divide may be asked.
  bool sound() const { return sound_; }

 private:
  const Place& place_;
  config::Diagnostics& diagnostics_;
  bool sound_ = true;
};

void check_layers(const llm::Architecture& model, const Layout& layout, Rules& rules) {
  const std::int64_t layers = pipeline_layers(model), chunks = layout.chunks();
  if (layout.layers_of.empty()) {
    if (layers % chunks != 0) {
      rules.refuse(fmt::format("{} layers of {} can't be spread evenly over {} stages x {} chunks", layers, model.name, layout.pipeline,
                               layout.virtual_chunks),
                   "give sizes whose product divides the layers, or the layers of each chunk");
    }
    return;
  }
  if (std::ssize(layout.layers_of) != chunks) {
    rules.refuse(fmt::format("layers are given for {} chunks; there are {} stages x {} chunks", layout.layers_of.size(), layout.pipeline,
                             layout.virtual_chunks),
                 "give one number a chunk, in the order of the model");
    return;
  }
  for (std::size_t i = 0; i < layout.layers_of.size(); ++i) {
    if (layout.layers_of[i] < 1) rules.refuse(fmt::format("chunk {} has {} layers", i, layout.layers_of[i]), "give each chunk at least one layer");
  }
  const auto given = std::accumulate(layout.layers_of.begin(), layout.layers_of.end(), std::int64_t{0});
  if (given != layers) rules.refuse(fmt::format("the chunks have {} layers together, {} has {}", given, model.name, layers), "make them add up");
}

void check_experts(const llm::Architecture& model, const Layout& layout, Rules& rules) {
  if (layout.expert == 1) return;
  if (!model.experts) {
    rules.refuse(fmt::format("expert parallelism {} for {}, which has no experts", layout.expert, model.name), "leave expert parallelism at 1");
    return;
  }
  rules.divides("experts", model.experts->count, "expert parallelism", layout.expert);
  rules.divides("data- and context-parallel ranks", layout.data * layout.context, "expert parallelism", layout.expert);
}

}  // namespace

std::string_view name(Recompute recompute) { return kRecomputes[static_cast<std::size_t>(recompute)]; }
std::optional<Recompute> recompute(std::string_view name) { return find<Recompute>(kRecomputes, name); }
std::string_view name(Method method) { return kMethods[static_cast<std::size_t>(method)]; }
std::optional<Method> method(std::string_view name) { return find<Method>(kMethods, name); }

ScheduleShape Layout::schedule_shape() const {
  return {static_cast<std::int32_t>(pipeline), static_cast<std::int32_t>(microbatches()), static_cast<std::int32_t>(virtual_chunks)};
}

std::int64_t pipeline_layers(const llm::Architecture& model) { return model.encoder_layers + model.layers; }

std::vector<std::int64_t> layers_of_chunks(const llm::Architecture& model, const Layout& layout) {
  if (!layout.layers_of.empty()) return layout.layers_of;
  return std::vector<std::int64_t>(static_cast<std::size_t>(layout.chunks()), pipeline_layers(model) / layout.chunks());
}

void check_layout(const llm::Architecture& model, const Layout& layout, const Place& place, config::Diagnostics& diagnostics) {
  Rules rules(place, diagnostics);
  rules.positive("tensor parallelism", layout.tensor);
  rules.positive("pipeline parallelism", layout.pipeline);
  rules.positive("data parallelism", layout.data);
  rules.positive("context parallelism", layout.context);
  rules.positive("expert parallelism", layout.expert);
  rules.positive("the number of chunks", layout.virtual_chunks);
  rules.positive("the global batch", layout.global_batch_size);
  rules.positive("the microbatch", layout.micro_batch_size);
  rules.positive("the sequence length", layout.seq_length);
  if (layout.method == Method::lora) rules.positive("the adapters' rank", layout.lora_rank);
  if (!rules.sound()) return;

  rules.divides("heads", model.heads, "tensor parallelism", layout.tensor);
  if (model.ffn > 0) rules.divides("columns of the feed-forward layer", model.ffn, "tensor parallelism", layout.tensor);
  if (model.experts) rules.divides("columns of an expert", model.experts->ffn, "tensor parallelism", layout.tensor);
  if (model.kv_heads % layout.tensor != 0 && layout.tensor % model.kv_heads != 0) {
    rules.refuse(fmt::format("{} KV heads neither divide tensor parallelism {} nor are a multiple of it", model.kv_heads, layout.tensor),
                 "give a tensor parallelism that divides the KV heads or is a multiple of them");
  }
  check_layers(model, layout, rules);
  rules.divides("sequences of the global batch", layout.global_batch_size, "data parallelism x microbatch", layout.data * layout.micro_batch_size);
  rules.divides("tokens of a sequence", layout.seq_length, "context parallelism", layout.context);
  if (layout.sequence_parallel) {
    rules.divides("tokens of a sequence on a rank", layout.seq_length / layout.context, "tensor parallelism", layout.tensor);
  }
  check_experts(model, layout, rules);
  if (model.learned_positions > 0 && layout.seq_length > model.max_position) {
    rules.refuse(fmt::format("sequences of {} tokens; {} has {} learned positions", layout.seq_length, model.name, model.max_position),
                 "give shorter sequences");
  }
}

}  // namespace joulecast::training
