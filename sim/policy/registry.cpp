#include "policy/registry.hpp"

#include "policy/routing/least_outstanding.hpp"
#include "policy/routing/power_of_two.hpp"
#include "policy/routing/round_robin.hpp"

namespace joulecast::policy {
namespace {

using Make = std::unique_ptr<serving::ReplicaRouter> (*)();

/// A policy without parameters: any key but `use` is a fault.
template <Make make>
std::unique_ptr<serving::ReplicaRouter> make_plain(const config::Node* parameters, config::Diagnostics& diagnostics) {
  if (parameters != nullptr) {
    if (const auto* table = parameters->as<config::Table>()) {
      for (const auto& entry : table->entries) {
        if (entry.key == "use") continue;
        diagnostics.error(entry.place, "unknown key \"" + entry.key + "\": this policy has no parameters", "remove the key");
      }
    } else {
      diagnostics.error(parameters->place(), "a policy is a table, not " + std::string(parameters->kind()), "write [policy.NAME] with use = \"...\"");
    }
  }
  return make();
}

constexpr const char* kReplica = "a replica for each request";

}  // namespace

const std::vector<RoutingPolicy>& routing_policies() {
  static const std::vector<RoutingPolicy> policies = {
      {"least_outstanding",
       kReplica,
       "the replica with the fewest waiting and running requests; the lowest index among equals",
       {},
       make_plain<make_least_outstanding>},
      {"power_of_two", kReplica, "the less loaded of two replicas drawn at random; the lower index if equal", {}, make_plain<make_power_of_two>},
      {"round_robin", kReplica, "the replicas in turn, whatever their load", {}, make_plain<make_round_robin>},
  };
  return policies;
}

const RoutingPolicy* find_routing_policy(std::string_view name) {
  for (const RoutingPolicy& policy : routing_policies()) {
    if (policy.name == name) return &policy;
  }
  return nullptr;
}

std::vector<std::string> routing_policy_names() {
  std::vector<std::string> names;
  for (const RoutingPolicy& policy : routing_policies()) names.push_back(policy.name);
  return names;
}

}  // namespace joulecast::policy
