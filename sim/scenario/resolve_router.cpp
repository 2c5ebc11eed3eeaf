#include <fmt/format.h>

#include <algorithm>

#include "policy/registry.hpp"
#include "scenario/resolver.hpp"
#include "traces/requests/open.hpp"

namespace joulecast::scenario {

void Resolver::router() {
  const RouterTable& table = file_.router;
  scenario_.report_period = table.report_period;
  for (const auto& [name, node] : file_.policy) {
    const config::Node* use = node.as<config::Table>()->find("use");
    if (use != nullptr && use->as<std::string>() != nullptr) continue;
    diagnostics_.error(node.place(), "[policy." + name + "] does not say which policy it uses",
                       "add use = \"round_robin\"; see `joulecast policies`");
  }
  const auto replica_policy = [&](const std::string& name, std::string& use, config::Node& parameters) {
    PolicyUse replica = policy_use(name, table.place);
    if (const auto* policy = policy::find_replica_policy(replica.use)) {
      policy->make(&replica.parameters, diagnostics_);
      if (policy->needs_prefixes) check_prefixes(policy->name, replica.parameters.place());
    } else if (policy::find_pool_policy(replica.use) != nullptr) {
      diagnostics_.error(replica.parameters.place(), fmt::format("policy \"{}\" chooses a pool, not a replica", replica.use),
                         fmt::format("write pool = \"{}\" in [router], and another policy for replica", name));
    } else {
      unknown_policy(replica, policy::replica_policy_names(), "chooses a replica");
    }
    use = std::move(replica.use);
    parameters = std::move(replica.parameters);
  };
  replica_policy(table.replica, scenario_.replica_policy, scenario_.replica_policy_parameters);
  const bool decodes =
      std::any_of(scenario_.traffics.begin(), scenario_.traffics.end(), [](const Traffic& each) { return !each.decode_pools.empty(); });
  if (decodes) {
    replica_policy(table.decode_replica.empty() ? table.replica : table.decode_replica, scenario_.decode_policy, scenario_.decode_policy_parameters);
  } else if (!table.decode_replica.empty() && !diagnostics_.failed()) {
    diagnostics_.error(table.place, "decode_replica chooses among replicas of decode pools, and no traffic has one",
                       "leave it out, or give pools role = \"prefill\" and role = \"decode\"");
  }
  if (table.pool.empty()) return;
  const PolicyUse pool = policy_use(table.pool, table.place);
  scenario_.pool_policy = pool.use;
  scenario_.pool_policy_parameters = pool.parameters;
  if (policy::find_pool_policy(pool.use) != nullptr) {
    pool_choice();
  } else if (policy::find_replica_policy(pool.use) != nullptr) {
    diagnostics_.error(pool.parameters.place(), fmt::format("policy \"{}\" chooses a replica, not a pool", pool.use),
                       fmt::format("write replica = \"{}\" in [router], and another policy for pool", table.pool));
  } else {
    unknown_policy(pool, policy::pool_policy_names(), "chooses a pool");
  }
}

/// A policy that follows prefixes and conversations needs a trace that has them.
void Resolver::check_prefixes(const std::string& policy, const Place& place) {
  if (diagnostics_.failed()) return;
  std::vector<std::string> without;
  for (const Traffic& traffic : scenario_.traffics) {
    bool has = false;
    if (traffic.trace) {
      collecting([&] {
        const traces::ReadCounts counts = traces::summarize(*traffic.trace).counts;
        has = counts.with_prefix > 0 || counts.conversations > 0;
      });
    }
    if (!has) without.push_back(traffic.name);
  }
  if (without.size() == scenario_.traffics.size()) {
    diagnostics_.error(place, fmt::format("policy \"{}\" needs prompts with prefixes or conversations, and no traffic has them", policy),
                       "replay a trace that has them (mooncake, qwen-bailian, burstgpt), or choose another policy");
    return;
  }
  for (const std::string& name : without) {
    scenario_.notes.push_back(fmt::format("traffic \"{}\" has no prefixes: {} takes the least outstanding replica for it", name, policy));
  }
}

}  // namespace joulecast::scenario
