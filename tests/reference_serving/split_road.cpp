#include <array>
#include <deque>
#include <memory>
#include <string>

#include "policy/registry.hpp"
#include "reference_serving/engine_parts.hpp"
#include "reference_serving/split.hpp"
#include "serving/router.hpp"
#include "serving/source.hpp"

namespace joulecast::reference {
namespace {

using engine::EntityId;
using engine::Level;
using serving::ReplicaView;

/// The replicas of one role, and the router before them.
struct Side {
  std::vector<std::unique_ptr<serving::Replica>> made;
  std::vector<serving::Replica*> replicas;
  std::unique_ptr<engine::InstantViews<ReplicaView>> views;
  std::pair<EntityId, serving::Router*> router;
  std::vector<EntityId> ids;
};

}  // namespace

SplitRoadAnswer solve_split_with_engine(const SplitProblem& problem, const EngineRoadOptions& options) {
  engine::Simulation simulation;
  serving::RequestTable table;
  std::deque<metering::Meter> meters;
  std::array<Side, 2> sides;
  const std::array<const Problem*, 2> problems{&problem.producers, &problem.consumers};
  serving::SourceSetup source_setup{std::make_unique<ListStream>(problem.producers), table, 0, serving::ContextLimit::of(problem.consumers.engine)};
  const auto [source_id, source] = simulation.add_new<serving::Source>("source", Level::source, std::move(source_setup));
  std::int32_t index = 0;
  for (std::size_t s = 0; s < 2; ++s) {
    std::vector<const engine::Viewed<ReplicaView>*> viewed;
    for (std::size_t i = 0; i < problems[s]->replicas; ++i) {
      meters.emplace_back("replica " + std::to_string(index), 1, Span{1'000'000'000});
      sides[s].made.push_back(std::make_unique<serving::Replica>(serving::ReplicaSetup{
          index++, problems[s]->engine, *problems[s]->costs, {&table}, meters.back(), problem.producers.warmup, options.step_mode}));
      sides[s].replicas.push_back(sides[s].made.back().get());
      viewed.push_back(sides[s].made.back().get());
    }
    sides[s].views = std::make_unique<engine::InstantViews<ReplicaView>>(viewed);
    config::Diagnostics diagnostics;
    std::vector<serving::ReplicaGroup> groups;
    groups.push_back({problems[s]->replicas, policy::find_replica_policy(problems[s]->router)->make(nullptr, diagnostics)});
    const std::string name = s == 0 ? "router" : "decode router";
    sides[s].router = simulation.add_new<serving::Router>(
        name, s == 0 ? Level::router : Level::transfer,
        serving::RouterSetup{std::move(groups), *sides[s].views, serving::ViewAge::instant, {&table}, Stream(1, name, "routing")});
  }
  serving::KvNetworkSetup network_setup = problem.network;
  network_setup.tables = {&table};
  const auto [network_id, network] = simulation.add_new<serving::KvNetwork>("network", Level::transfer, std::move(network_setup));
  std::vector<EntityId> all;
  for (std::size_t s = 0; s < 2; ++s) {
    for (auto& each : sides[s].made) {
      sides[s].ids.push_back(simulation.add("replica " + std::to_string(all.size()), s == 0 ? Level::prefill : Level::decode, std::move(each)));
      all.push_back(sides[s].ids.back());
    }
    sides[s].router.second->connect(simulation.connect(sides[s].router.first, sides[s].ids, Span{0}), sides[s].ids);
    std::vector<EntityId> group = sides[s].ids;
    group.push_back(sides[s].router.first);
    simulation.group(group);
  }
  const EntityId first = sides[0].router.first, second = sides[1].router.first;
  source->connect(simulation.connect(source_id, std::array{first}, Span{0}), first, serving::Router::route);
  for (std::size_t i = 0; i < sides[0].ids.size(); ++i) {
    sides[0].replicas[i]->hand_over_to(0, simulation.connect(sides[0].ids[i], std::array{second}, Span{0}), second);
  }
  for (std::size_t i = 0; i < sides[1].ids.size(); ++i) {
    sides[1].replicas[i]->fetch_from(simulation.connect(sides[1].ids[i], std::array{network_id}, Span{1}), network_id);
  }
  const engine::Port to_consumers = simulation.connect(network_id, sides[1].ids, Span{0});
  network->connect(to_consumers, simulation.connect(network_id, sides[0].ids, Span{1}), all);

  engine::RunOptions run;
  run.horizon = problem.producers.horizon;
  run.grouping = options.grouping;
  run.fingerprints = options.fingerprint_period.ns > 0;
  if (run.fingerprints) run.fingerprint_period = options.fingerprint_period;
  SplitRoadAnswer result;
  result.run = simulation.run(run);
  std::size_t meter = 0;
  for (const Side& side : sides) {
    auto& answers = &side == &sides[0] ? result.answer.producers : result.answer.consumers;
    for (const serving::Replica* replica : side.replicas) {
      answers.push_back(answer_of(replica->statistics(), meters[meter]));
      result.meters_exact = result.meters_exact && is_exact(meters[meter++], result.run.end);
    }
  }
  for (std::uint32_t i = 0; i < table.size(); ++i) result.answer.outcomes.push_back(table[i].outcome);
  return result;
}

}  // namespace joulecast::reference
