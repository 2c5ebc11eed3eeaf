#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "config/diagnostics.hpp"
#include "config/node.hpp"
#include "config/record.hpp"
#include "serving/routing.hpp"

namespace joulecast::policy {

/// A registered policy: `joulecast policies` prints these entries, a scenario names them.
struct RoutingPolicy {
  std::string name;
  std::string chooses;                        ///< "a replica for each request"
  std::string text;                           ///< one line
  std::vector<config::Parameter> parameters;  ///< keys of `[policy.NAME]` beside `use`
  /// Makes a fresh one. `parameters` is the table `[policy.NAME]` (its `use` is left alone) or null for none; unknown keys are reported.
  std::unique_ptr<serving::ReplicaRouter> (*make)(const config::Node* parameters, config::Diagnostics& diagnostics);
};

/// All policies that choose a replica, in alphabetical order.
const std::vector<RoutingPolicy>& routing_policies();
/// The one of that name, or null; config::nearest over `routing_policy_names()` gives what was meant.
const RoutingPolicy* find_routing_policy(std::string_view name);
std::vector<std::string> routing_policy_names();

}  // namespace joulecast::policy
