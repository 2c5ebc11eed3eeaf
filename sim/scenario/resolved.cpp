#include "scenario/resolved.hpp"

#include <algorithm>

#include "scenario/load.hpp"

namespace joulecast::scenario {

std::string resolved_toml(const Scenario& scenario) {
  TomlWriter root;
  root.number("schema", 1).text("name", scenario.name).number("seed", static_cast<std::int64_t>(scenario.seed));
  TomlWriter time;
  if (scenario.duration) time.quantity("duration", scenario.duration->si(), "s");
  time.quantity("warmup", scenario.warmup.si(), "s")
      .text("at_end", scenario.at_end == AtEnd::cut ? "cut" : "drain")
      .quantity("bin", scenario.bin.si(), "s");
  root.table("time", std::move(time));

  TomlWriter site;
  site.real("pue", scenario.site.pue);
  if (scenario.site.price) site.quantity("price", scenario.site.price->amount.si(), scenario.site.price->currency + "/J");
  if (scenario.site.carbon) site.quantity("carbon", scenario.site.carbon->si(), "g/J");
  root.table("site", std::move(TomlWriter().table(scenario.site_name, std::move(site))));

  TomlWriter clusters, models, engines, pools, traffics;
  for (const auto& each : scenario.clusters) clusters.table(each.name, resolved_cluster(each));
  std::vector<std::string> named;
  for (const auto& each : scenario.pools) {
    engines.table(each.name, resolved_engine(each));
    pools.table(each.name, resolved_pool(scenario, each));
    if (each.model_name != each.model.name && std::find(named.begin(), named.end(), each.model_name) == named.end()) {
      named.push_back(each.model_name);
      models.table(each.model_name, std::move(TomlWriter().text("architecture", each.model.name)));
    }
  }
  for (const auto& each : scenario.traffics) traffics.table(each.name, resolved_traffic(each));
  root.table("cluster", std::move(clusters));
  if (!named.empty()) root.table("model", std::move(models));
  root.table("engine", std::move(engines)).table("pool", std::move(pools));
  if (!scenario.traffics.empty()) root.table("traffic", std::move(traffics));

  TomlWriter router;
  router.text("replica", "router");
  if (scenario.report_period) router.quantity("report_period", scenario.report_period->si(), "s");
  root.table("router", std::move(router));
  TomlWriter policy;
  policy.text("use", scenario.replica_policy);
  for (const auto& entry : scenario.replica_policy_parameters.as<config::Table>()->entries) {
    config::Node copy = *entry.value;
    policy.put(entry.key, std::move(copy.value()));
  }
  root.table("policy", std::move(TomlWriter().table("router", std::move(policy))));
  return config::write(root.node());
}

}  // namespace joulecast::scenario
