#include "training/graph.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "training/schedule_text.hpp"

namespace joulecast::training {

namespace {

/// Makes the operations of all stages in the schedule's order, then ties them.
class GraphBuilder {
 public:
  GraphBuilder(const Schedule& schedule, const IterationParts& parts, const Place& place) : schedule_(schedule), parts_(parts), place_(place) {}

  Iteration build() {
    iteration_.stages = static_cast<std::int32_t>(schedule_.size());
    iteration_.costs = parts_.costs;
    iteration_.blocking = parts_.blocking;
    iteration_.gpus_per_stage = parts_.gpus_per_stage;
    JOULECAST_CHECK(parts_.stages.size() == schedule_.size() && parts_.blocking.size() == schedule_.size(),
                    fmt::format("a schedule of {} stages with costs of {} and blocking watts of {}", schedule_.size(), parts_.stages.size(),
                                parts_.blocking.size()));
    for (const StageKinds& stage : parts_.stages) chunks_ = std::max(chunks_, static_cast<std::int32_t>(stage.chunks.size()));
    for (std::int32_t s = 0; s < iteration_.stages; ++s) add_stage(s);
    for (std::int32_t i = 0; i < static_cast<std::int32_t>(iteration_.operations.size()); ++i) tie(i);
    order_topologically(iteration_, place_);
    return std::move(iteration_);
  }

 private:
  using Key = std::tuple<std::int32_t, Pass, std::int32_t, std::int32_t>;

  void add_stage(std::int32_t stage) {
    const StageKinds& kinds = parts_.stages[static_cast<std::size_t>(stage)];
    if (kinds.chunks.empty()) no_layers(stage, "");
    for (const Step& step : schedule_[static_cast<std::size_t>(stage)]) {
      if (step.chunk < 0 || step.chunk >= static_cast<std::int32_t>(kinds.chunks.size())) {
        throw UserError(place_, fmt::format("stage {} runs {} and has {} chunks", stage, text(step, true), kinds.chunks.size()),
                        "make as many chunks as the schedule names");
      }
      add({stage, step.chunk, step.microbatch, step.pass, kind(stage, kinds.chunks[static_cast<std::size_t>(step.chunk)], step)});
    }
    if (kinds.gradient_sync >= 0) add({stage, -1, -1, Pass::gradient_sync, kinds.gradient_sync});
    if (kinds.optimizer >= 0) add({stage, -1, -1, Pass::optimizer, kinds.optimizer});
  }

  std::int32_t kind(std::int32_t stage, const ChunkKinds& kinds, const Step& step) const {
    std::int32_t found = -1;
    if (step.pass == Pass::forward) found = kinds.forward;
    if (step.pass == Pass::backward) found = kinds.backward;
    if (step.pass == Pass::backward_input) found = kinds.backward_input;
    if (step.pass == Pass::backward_weight) found = kinds.backward_weight;
    if (kinds.forward < 0) no_layers(stage, chunks_ > 1 ? fmt::format(" in chunk {}", step.chunk) : "");
    if (found < 0) {
      const bool whole = step.pass == Pass::backward;
      throw UserError(
          place_, fmt::format("there is no cost for {} of stage {}", text(step, chunks_ > 1), stage),
          whole ? "give the whole backward pass" : "give the backward pass in its input and weight parts, or take a schedule that does not split it");
    }
    return found;
  }

  [[noreturn]] void no_layers(std::int32_t stage, const std::string& where) const {
    throw UserError(place_, fmt::format("stage {} has no layers{}", stage, where), "take fewer stages or chunks, or give every one a layer");
  }

  void add(const Operation& operation) {
    const auto at = static_cast<std::int32_t>(iteration_.operations.size());
    const bool after_another = at > 0 && iteration_.operations.back().stage == operation.stage;
    iteration_.operations.push_back(operation);
    if (after_another) iteration_.dependencies.push_back({at - 1, at, {}});
    position_.emplace(Key{operation.stage, operation.pass, operation.chunk, operation.microbatch}, at);
  }

  void depend(std::int32_t after, const Key& before, FixedTime delay) {
    const auto found = position_.find(before);
    if (found == position_.end()) {
      const auto& [stage, pass, chunk, microbatch] = before;
      throw UserError(place_,
                      fmt::format("dangling dependency: {} waits for {}, which no stage runs",
                                  text(iteration_.operations[static_cast<std::size_t>(after)]), text(Operation{stage, chunk, microbatch, pass, 0})),
                      "run every microbatch on every stage");
    }
    if (found->second + 1 == after && delay == FixedTime{}) return;  // the stage's own order says so
    iteration_.dependencies.push_back({found->second, after, delay});
  }

  /// The pass of that kind that a microbatch's backward pass leaves for the stage before.
  Pass backward_of(std::int32_t stage, std::int32_t chunk, std::int32_t microbatch) const {
    return position_.count({stage, Pass::backward_input, chunk, microbatch}) > 0 ? Pass::backward_input : Pass::backward;
  }

  void tie(std::int32_t at) {
    const Operation operation = iteration_.operations[static_cast<std::size_t>(at)];
    const auto [stage, chunk, microbatch, pass, kind] = operation;
    const std::int32_t last = iteration_.stages - 1;
    const auto message = [&](FixedTime length) { return iteration_.stages > 1 ? length : FixedTime{}; };
    if (pass == Pass::forward) {
      if (stage > 0) {
        depend(at, {stage - 1, Pass::forward, chunk, microbatch}, parts_.forward_message);
      } else if (chunk > 0) {
        depend(at, {last, Pass::forward, chunk - 1, microbatch}, message(parts_.forward_message));
      }
    } else if (pass == Pass::backward || pass == Pass::backward_input) {
      depend(at, {stage, Pass::forward, chunk, microbatch}, {});
      if (stage < last) {
        depend(at, {stage + 1, backward_of(stage + 1, chunk, microbatch), chunk, microbatch}, parts_.backward_message);
      } else if (chunk + 1 < chunks_) {
        depend(at, {0, backward_of(0, chunk + 1, microbatch), chunk + 1, microbatch}, message(parts_.backward_message));
      }
    } else if (pass == Pass::backward_weight) {
      depend(at, {stage, Pass::backward_input, chunk, microbatch}, {});
    }
  }

  const Schedule& schedule_;
  const IterationParts& parts_;
  const Place& place_;
  Iteration iteration_;
  std::int32_t chunks_ = 1;
  std::map<Key, std::int32_t> position_;
};

}  // namespace

Iteration build_iteration(const Schedule& schedule, const IterationParts& parts, const Place& place) {
  if (schedule.empty()) throw UserError(place, "a pipeline of 0 stages", "give 1 stage or more");
  return GraphBuilder(schedule, parts, place).build();
}

}  // namespace joulecast::training
