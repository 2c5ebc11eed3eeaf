#include "base/error.hpp"
#include "policy/registry.hpp"
#include "scenario/pool_choice.hpp"
#include "scenario/run.hpp"

namespace joulecast::scenario {

std::optional<control::LengthPredictor> Run::predictor(const Traffic& traffic) const {
  if (!traffic.chooses_pool || !traffic.length_facts || !traffic.length_prediction) return std::nullopt;
  return control::LengthPredictor(*traffic.length_prediction, traffic.length_facts->mean_output,
                                  Stream(scenario_.seed, "traffic/" + traffic.name, "length prediction"));
}

std::unique_ptr<engine::Views<serving::ReplicaView>> Run::views_of(const std::vector<std::size_t>& pools) const {
  std::vector<const engine::Viewed<serving::ReplicaView>*> seen;
  for (const std::size_t p : pools) seen.insert(seen.end(), pools_[p].replicas.begin(), pools_[p].replicas.end());
  if (scenario_.report_period) return std::make_unique<engine::GridViews<serving::ReplicaView>>(std::move(seen));
  return std::make_unique<engine::InstantViews<serving::ReplicaView>>(std::move(seen));
}

serving::RouterSetup Run::router_setup(const std::string& name, std::vector<serving::ReplicaGroup> groups,
                                       const engine::Views<serving::ReplicaView>& views) {
  std::vector<serving::RequestTable*> tables;
  for (auto& each : traffics_) tables.push_back(each.table.get());
  const auto age = scenario_.report_period ? serving::ViewAge::report : serving::ViewAge::instant;
  return {std::move(groups), views, age, std::move(tables), Stream(scenario_.seed, name, "routing")};
}

/// The router of a traffic, before its replicas are in the simulation.
void Run::add_router(std::size_t index) {
  const Traffic& traffic = scenario_.traffics[index];
  auto& views = traffics_[index].views;
  views = views_of(traffic.pools);
  config::Diagnostics diagnostics;
  const policy::ReplicaPolicy* policy = policy::find_replica_policy(scenario_.replica_policy);
  JOULECAST_CHECK(policy != nullptr, "a checked scenario names a registered policy");
  const auto replica_policy = [&] { return policy->make(&scenario_.replica_policy_parameters, diagnostics); };
  std::vector<serving::ReplicaGroup> groups;
  if (traffic.chooses_pool) {
    for (const std::size_t p : traffic.pools) groups.push_back({pools_[p].replicas.size(), replica_policy()});
  } else {
    groups.push_back({views->size(), replica_policy()});
  }
  const std::string name = "router/" + traffic.name;
  serving::RouterSetup setup = router_setup(name, std::move(groups), *views);
  for (const std::size_t p : traffic.pools) setup.scaled = setup.scaled || scenario_.pools[p].scaling.has_value();
  if (traffic.chooses_pool) {
    setup.pool_policy =
        policy::find_pool_policy(scenario_.pool_policy)->make(&scenario_.pool_policy_parameters, pool_choice(scenario_, traffic), diagnostics);
    JOULECAST_CHECK(setup.pool_policy != nullptr, "a checked scenario's choice of pools has no faults");
    if (setup.pool_policy->is_offline()) foresee(*setup.pool_policy, traffic);
    setup.pool_random = Stream(scenario_.seed, name, "pool routing");
    setup.predictor = predictor(traffic);
  }
  traffics_[index].router = simulation_.add_new<serving::Router>(name, engine::Level::router, std::move(setup));
}

}  // namespace joulecast::scenario
