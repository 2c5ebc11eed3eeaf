#include "scenario/resolver.hpp"

#include <algorithm>

#include "policy/registry.hpp"

namespace joulecast::scenario {

Scenario Resolver::resolve() {
  scenario_.name = file_.name;
  scenario_.seed = static_cast<std::uint64_t>(file_.seed);
  site();
  clusters();
  for (const auto& [name, table] : file_.pool) pool(name, table);
  for (const auto& [name, table] : file_.traffic) traffic(name, table);
  router();
  time();
  currencies();
  if (file_.pool.empty()) diagnostics_.error({}, "the scenario has no pool", "add [pool.NAME] with node, model, tensor_parallel_size and replicas");
  return std::move(scenario_);
}

}  // namespace joulecast::scenario
