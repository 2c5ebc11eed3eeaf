#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "engine/simulation.hpp"

namespace joulecast::test {

/// An entity whose behaviour is given by functions.
class Probe final : public engine::Entity {
 public:
  std::function<void(engine::Context&)> at_start = [](engine::Context&) {};
  std::function<void(const engine::Event&, engine::Context&)> at_event = [](const engine::Event&, engine::Context&) {};
  std::function<void(engine::Context&)> at_finish = [](engine::Context&) {};
  std::vector<engine::Event> seen;

  void start(engine::Context& context) override { at_start(context); }
  void on(const engine::Event& event, engine::Context& context) override {
    seen.push_back(event);
    at_event(event, context);
  }
  void finish(engine::Context& context) override { at_finish(context); }
  std::uint64_t fingerprint(Time) const override { return seen.size(); }
};

inline engine::Port connect(engine::Simulation& simulation, engine::EntityId from, engine::EntityId to, Span delay) {
  return simulation.connect(from, std::vector<engine::EntityId>{to}, delay);
}

}  // namespace joulecast::test
