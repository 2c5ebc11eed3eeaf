#include "scenario/resolver.hpp"

#include <algorithm>

#include "policy/registry.hpp"

namespace joulecast::scenario {

Scenario Resolver::resolve() {
  scenario_.name = file_.name;
  scenario_.seed = static_cast<std::uint64_t>(file_.seed);
  start();
  sites();
  feeds();
  clusters();
  for (const auto& [name, table] : file_.pool) pool(name, table);
  for (const auto& [name, table] : file_.training) training(name, table);
  for (const auto& [name, table] : file_.traffic) traffic(name, table);
  time();
  check_made_clusters();
  kv_transfers();
  currencies();
  signals();
  router();
  control();
  if (file_.pool.empty() && file_.training.empty()) {
    diagnostics_.error({}, "the scenario has no pool and no training job", "add [pool.NAME] with node, model, tensor_parallel_size and replicas");
  }
  return std::move(scenario_);
}

}  // namespace joulecast::scenario
