#pragma once

#include <cmath>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "base/hash.hpp"
#include "base/philox.hpp"
#include "engine/simulation.hpp"

namespace joulecast::test {

/// PHOLD (Fujimoto: "Performance of parallel discrete event simulation", WSC 1990): every message makes its receiver send one to a random
/// logical process after a least delay and an exponential time.
struct PholdSize {
  std::uint32_t processes = 64;
  std::uint32_t messages_each = 4;
  Span lookahead{1'000'000};
  double mean_delay = 1e-3;  ///< seconds, beside the lookahead
  std::uint64_t seed = 1;
};

class PholdProcess final : public engine::Entity {
 public:
  PholdProcess(const PholdSize& size, const std::string& name) : size_(size), random_(size.seed, name, "phold") {}

  engine::Port port;

  void start(engine::Context& context) override {
    for (std::uint32_t i = 0; i < size_.messages_each; ++i) pass_on(context, std::uint64_t{context.self()} << 32 | i);
  }
  void on(const engine::Event& event, engine::Context& context) override {
    state_ = mix(mix(state_, static_cast<std::uint64_t>(event.time.ns)), event.payload);
    pass_on(context, event.payload);
  }
  std::uint64_t fingerprint(Time) const override { return state_; }

 private:
  void pass_on(engine::Context& context, std::uint64_t payload) {
    const auto target = static_cast<engine::EntityId>(random_.below(size_.processes));
    context.send(port, target, 0, payload, size_.lookahead + span_from_seconds(size_.mean_delay * random_.exponential()));
  }

  PholdSize size_;
  Stream random_;
  std::uint64_t state_ = 0;
};

/// Fills an empty simulation.
inline void build_phold(engine::Simulation& simulation, const PholdSize& size) {
  std::vector<PholdProcess*> processes;
  for (std::uint32_t i = 0; i < size.processes; ++i) {
    const std::string name = "process " + std::to_string(i);
    processes.push_back(simulation.add_new<PholdProcess>(name, engine::Level::decode, size, name).second);
  }
  std::vector<engine::EntityId> all(size.processes);
  std::iota(all.begin(), all.end(), 0U);
  for (std::uint32_t i = 0; i < size.processes; ++i) processes[i]->port = simulation.connect(i, all, size.lookahead);
}

}  // namespace joulecast::test
