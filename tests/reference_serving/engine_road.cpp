#include "reference_serving/engine_road.hpp"

#include <deque>
#include <memory>
#include <string>

#include "policy/registry.hpp"
#include "reference_serving/engine_parts.hpp"
#include "serving/router.hpp"
#include "serving/source.hpp"

namespace joulecast::reference {
namespace {

using engine::EntityId;
using engine::Level;
using serving::ReplicaView;

}  // namespace

EngineRoadAnswer solve_with_engine(const Problem& problem, const EngineRoadOptions& options) {
  engine::Simulation simulation;
  serving::RequestTable table;
  std::deque<metering::Meter> meters;
  std::vector<const serving::Replica*> replicas;
  std::vector<const engine::Viewed<ReplicaView>*> viewed;

  // Sources and routers come first, so that at one instant their messages precede a replica's own timer.
  serving::SourceSetup source_setup{std::make_unique<ListStream>(problem), table, 0, serving::ContextLimit::of(problem.engine)};
  const auto [source_id, source] = simulation.add_new<serving::Source>("source", Level::source, std::move(source_setup));
  std::vector<std::unique_ptr<serving::Replica>> made;
  for (std::size_t i = 0; i < problem.replicas; ++i) {
    meters.emplace_back("replica " + std::to_string(i), 1, Span{1'000'000'000});
    made.push_back(std::make_unique<serving::Replica>(serving::ReplicaSetup{
        static_cast<std::int32_t>(i), problem.engine, *problem.costs, {&table}, meters.back(), problem.warmup, options.step_mode}));
    replicas.push_back(made.back().get());
    viewed.push_back(made.back().get());
  }
  const engine::InstantViews<ReplicaView> instant(viewed);
  engine::GridViews<ReplicaView> reports(viewed);
  const bool is_instant = options.report_period.ns == 0;
  config::Diagnostics diagnostics;
  std::vector<serving::ReplicaGroup> groups;
  groups.push_back({problem.replicas, policy::find_replica_policy(problem.router)->make(nullptr, diagnostics)});
  serving::RouterSetup router_setup{std::move(groups),
                                    is_instant ? static_cast<const engine::Views<ReplicaView>&>(instant) : reports,
                                    is_instant ? serving::ViewAge::instant : serving::ViewAge::report,
                                    {&table},
                                    Stream(1, "router", "routing")};
  const auto [router_id, router] = simulation.add_new<serving::Router>("router", Level::router, std::move(router_setup));
  std::vector<EntityId> replica_ids;
  for (std::size_t i = 0; i < problem.replicas; ++i) {
    replica_ids.push_back(simulation.add("replica " + std::to_string(i), Level::decode, std::move(made[i])));
  }
  source->connect(simulation.connect(source_id, std::vector{router_id}, Span{0}), router_id, serving::Router::route);
  router->connect(simulation.connect(router_id, replica_ids, Span{0}), replica_ids);
  if (is_instant) {
    std::vector<EntityId> group = replica_ids;
    group.push_back(router_id);
    simulation.group(group);
  } else {
    simulation.report(reports, replica_ids, options.report_period);
  }

  engine::RunOptions run;
  run.horizon = problem.horizon;
  run.grouping = options.grouping;
  run.fingerprints = options.fingerprint_period.ns > 0;
  if (run.fingerprints) run.fingerprint_period = options.fingerprint_period;
  EngineRoadAnswer result;
  result.run = simulation.run(run);
  for (std::size_t i = 0; i < problem.replicas; ++i) {
    const serving::ReplicaStatistics& s = replicas[i]->statistics();
    result.statistics.push_back(s);
    result.answer.replicas.push_back(answer_of(s, meters[i]));
    result.meters_exact = result.meters_exact && is_exact(meters[i], result.run.end);
  }
  for (std::uint32_t i = 0; i < table.size(); ++i) result.answer.outcomes.push_back(table[i].outcome);
  return result;
}

}  // namespace joulecast::reference
