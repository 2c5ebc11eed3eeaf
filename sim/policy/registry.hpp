#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/diagnostics.hpp"
#include "config/node.hpp"
#include "config/record.hpp"
#include "serving/pool_routing.hpp"
#include "serving/routing.hpp"

namespace joulecast::policy {

// Registered policies: `joulecast policies` prints these entries, a scenario names them. `parameters`, where a function takes it, is the table
// `[policy.NAME]` (its `use` is left alone) or null for none; faults of it, unknown keys too, are reported.

/// A policy that chooses a replica: `[router] replica`.
struct ReplicaPolicy {
  std::string name;
  std::string text;                           ///< one line
  std::vector<config::Parameter> parameters;  ///< keys of `[policy.NAME]` beside `use`
  bool needs_prefixes = false;                ///< does nothing for requests without prefix and conversation
  /// Makes a fresh one.
  std::unique_ptr<serving::ReplicaRouter> (*make)(const config::Node* parameters, config::Diagnostics& diagnostics);
};

/// What must be there before a policy that chooses a pool can be made.
struct PoolNeeds {
  struct Belief {
    std::string energy_model;        ///< "fitted", a shipped set's name or a file
    std::int64_t profile_batch = 1;  ///< of a sweep
  };
  bool output_length = false;  ///< a prediction of it
  bool accuracy = false;       ///< of every model that it chooses among
  std::optional<Belief> belief;
  bool service = false;  ///< how fast and at what energy each pool's steps are believed to be
};

/// A policy that chooses a pool: `[router] pool`.
struct PoolPolicy {
  std::string name;
  std::string text;
  std::vector<config::Parameter> parameters;
  PoolNeeds (*needs)(const config::Node* parameters, config::Diagnostics& diagnostics);
  /// Makes a fresh one for a traffic's choice; null where faults of the choice were reported. What `needs` named is in `choice`.
  std::unique_ptr<serving::PoolRouter> (*make)(const config::Node* parameters, const serving::PoolChoice& choice, config::Diagnostics& diagnostics);
};

/// All of them, in alphabetical order. A name may stand in both lists.
const std::vector<ReplicaPolicy>& replica_policies();
const std::vector<PoolPolicy>& pool_policies();
/// The one of that name, or null; config::nearest over the names gives what was meant.
const ReplicaPolicy* find_replica_policy(std::string_view name);
const PoolPolicy* find_pool_policy(std::string_view name);
std::vector<std::string> replica_policy_names();
std::vector<std::string> pool_policy_names();

}  // namespace joulecast::policy
