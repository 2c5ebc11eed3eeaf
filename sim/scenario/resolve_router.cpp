#include "policy/registry.hpp"
#include "scenario/resolver.hpp"

namespace joulecast::scenario {

void Resolver::router() {
  const RouterTable& table = file_.router;
  scenario_.report_period = table.report_period;
  scenario_.replica_policy = table.replica;
  config::Table parameters;
  Place place = table.place;
  for (const auto& [name, node] : file_.policy) {
    const auto* entries = node.as<config::Table>();
    const config::Node* use = entries->find("use");
    const auto* used = use == nullptr ? nullptr : use->as<std::string>();
    if (used == nullptr) {
      diagnostics_.error(node.place(), "[policy." + name + "] does not say which policy it uses",
                         "add use = \"round_robin\"; see `joulecast policies`");
      continue;
    }
    if (name != table.replica) continue;
    scenario_.replica_policy = *used;
    place = use->place();
    for (const auto& entry : entries->entries) {
      if (entry.key != "use") parameters.entries.push_back({entry.key, entry.place, std::make_unique<config::Node>(*entry.value)});
    }
  }
  scenario_.replica_policy_parameters = config::Node(std::move(parameters), place);
  if (const policy::RoutingPolicy* policy = policy::find_routing_policy(scenario_.replica_policy)) {
    policy->make(&scenario_.replica_policy_parameters, diagnostics_);
    return;
  }
  std::vector<std::string> known = policy::routing_policy_names();
  for (const auto& each : file_.policy) known.push_back(each.first);
  const std::string near = config::nearest(scenario_.replica_policy, known);
  diagnostics_.error(place, "there is no policy \"" + scenario_.replica_policy + "\" that chooses a replica",
                     (near.empty() ? "" : "did you mean \"" + near + "\"? ") + "`joulecast policies` lists them");
}

}  // namespace joulecast::scenario
