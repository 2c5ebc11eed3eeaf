#include "scenario/resolved.hpp"

namespace joulecast::scenario {

void put_policy(TomlWriter& policies, const std::string& name, const std::string& use, const config::Node& parameters) {
  TomlWriter writer;
  writer.text("use", use);
  for (const auto& entry : parameters.as<config::Table>()->entries) {
    config::Node copy = *entry.value;
    writer.put(entry.key, std::move(copy.value()));
  }
  policies.table(name, std::move(writer));
}

void resolved_control(const Scenario& scenario, TomlWriter& policies) {
  const auto put = [&](const std::string& name, const std::optional<PolicyUse>& policy) {
    if (policy) put_policy(policies, name, policy->use, policy->parameters);
  };
  for (const Pool& pool : scenario.pools) {
    put("clocks-" + pool.name, pool.clock_policy);
    put("scaling-" + pool.name, pool.scaling);
  }
  for (const Feed& feed : scenario.feeds) put("feed-" + feed.name, feed.policy);
  for (const Site& site : scenario.sites) put("site-" + site.name, site.power_policy);
}

}  // namespace joulecast::scenario
