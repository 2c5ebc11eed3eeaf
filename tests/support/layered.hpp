#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/hash.hpp"
#include "base/philox.hpp"
#include "engine/simulation.hpp"

namespace joulecast::test {

struct NodeView {
  std::uint64_t state;
};

/// An entity that does at random whatever the engine offers: sends upwards without delay, sends anywhere with one, sets, moves and cancels
/// timers, reads views of this instant and of the last grid point; and takes all it sees into its state. Times are whole milliseconds, so
/// many events are simultaneous.
class Node final : public engine::Entity, public engine::Viewed<NodeView> {
 public:
  Node(std::uint64_t seed, const std::string& name, bool source) : random_(seed, name, "node"), source_(source) {}

  engine::Port up, anywhere;
  std::vector<engine::EntityId> above, all;
  std::unique_ptr<engine::InstantViews<NodeView>> mates;
  const engine::GridViews<NodeView>* reports = nullptr;

  void start(engine::Context& context) override {
    if (source_) context.set_timer(7, Time{0});
  }
  void on(const engine::Event& event, engine::Context& context) override {
    take(static_cast<std::uint64_t>(event.time.ns));
    take(event.kind);
    if (event.timer == 0) take(event.payload);
    if (source_ && event.timer == 1 && event.kind == 7) context.set_timer(7, event.time + milliseconds(random_.below(4)) + Span{1'000'000});
    if (mates) take(mates->at(random_.below(mates->size()), event.time).state);
    if (reports != nullptr) take(reports->at(random_.below(reports->size()), event.time).state);
    if (!above.empty() && random_.uniform() < 0.45) context.send(up, above[random_.below(above.size())], 1, random_.next());
    if (random_.uniform() < 0.2) context.send(anywhere, all[random_.below(all.size())], 2, random_.next(), milliseconds(1 + random_.below(3)));
    if (random_.uniform() < 0.2) context.set_timer(static_cast<std::uint16_t>(random_.below(7)), event.time + milliseconds(random_.below(3)));
    if (random_.uniform() < 0.1) context.cancel_timer(static_cast<std::uint16_t>(random_.below(7)));
  }
  void finish(engine::Context& context) override { take(static_cast<std::uint64_t>(context.now().ns)); }
  NodeView view(Time) const override { return {state_}; }
  std::uint64_t fingerprint(Time) const override { return state_; }

 private:
  static Span milliseconds(std::uint64_t count) { return static_cast<std::int64_t>(count) * Span{1'000'000}; }
  void take(std::uint64_t value) { state_ = mix(state_, value); }

  Stream random_;
  bool source_;
  std::uint64_t state_ = 0;
};

/// A random model of `nodes` nodes over five levels, a third of them in groups, all of them on a board with a period of 2.5 ms.
class LayeredModel {
 public:
  LayeredModel(std::uint64_t seed, std::uint32_t nodes) {
    Stream random(seed, "layered model", "shape");
    std::vector<engine::Level> levels;
    std::vector<engine::EntityId> all;
    for (std::uint32_t i = 0; i < nodes; ++i) {
      const auto level = static_cast<engine::Level>(random.below(5));
      const std::string name = "node " + std::to_string(i);
      nodes_.push_back(simulation.add_new<Node>(name, level, seed, name, level == engine::Level::source || i == 0).second);
      levels.push_back(level);
      all.push_back(i);
    }
    std::vector<const engine::Viewed<NodeView>*> viewed(nodes_.begin(), nodes_.end());
    board_ = std::make_unique<engine::GridViews<NodeView>>(viewed);
    simulation.report(*board_, all, Span{2'500'000});
    for (std::uint32_t i = 0; i < nodes; ++i) {
      Node& node = *nodes_[i];
      node.reports = board_.get();
      node.all = all;
      node.anywhere = simulation.connect(i, all, Span{1'000'000});
      for (std::uint32_t j = 0; j < nodes; ++j) {
        if (levels[j] > levels[i] && random.uniform() < 0.2) node.above.push_back(j);
      }
      if (!node.above.empty()) node.up = simulation.connect(i, node.above, Span{0});
    }
    for (std::uint32_t first = 0; first + 3 <= nodes / 3; first += 3) {
      const std::vector<engine::EntityId> group{first, first + 1, first + 2};
      simulation.group(group);
      for (const engine::EntityId member : group) {
        nodes_[member]->mates = std::make_unique<engine::InstantViews<NodeView>>(
            std::vector<const engine::Viewed<NodeView>*>{nodes_[first], nodes_[first + 1], nodes_[first + 2]});
      }
    }
  }

  engine::Simulation simulation;

 private:
  std::vector<Node*> nodes_;
  std::unique_ptr<engine::GridViews<NodeView>> board_;
};

}  // namespace joulecast::test
