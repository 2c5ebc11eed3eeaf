#include "scenario/resolved.hpp"

#include <algorithm>

#include "scenario/load.hpp"

namespace joulecast::scenario {

std::string resolved_toml(const Scenario& scenario) {
  TomlWriter root;
  root.number("schema", 1).text("name", scenario.name).number("seed", static_cast<std::int64_t>(scenario.seed));
  TomlWriter time;
  if (scenario.start) time.put("start", config::Node::Value(scenario.start->written));
  if (scenario.duration) time.quantity("duration", scenario.duration->si(), "s");
  time.quantity("warmup", scenario.warmup.si(), "s")
      .text("at_end", scenario.at_end == AtEnd::cut ? "cut" : "drain")
      .quantity("bin", scenario.bin.si(), "s");
  root.table("time", std::move(time));

  if (!scenario.currency.rates.empty()) root.table("currency", resolved_currency(scenario.currency));
  TomlWriter sites, feeds;
  for (const Site& site : scenario.sites) sites.table(site.name, resolved_site(site));
  root.table("site", std::move(sites));
  for (const Feed& feed : scenario.feeds) feeds.table(feed.name, resolved_feed(scenario, feed));
  if (!scenario.feeds.empty()) root.table("feed", std::move(feeds));

  TomlWriter clusters, models, engines, pools, traffics;
  for (const auto& each : scenario.clusters) clusters.table(each.name, resolved_cluster(scenario, each));
  std::vector<std::string> named;
  for (const auto& each : scenario.pools) {
    engines.table(each.name, resolved_engine(each));
    pools.table(each.name, resolved_pool(scenario, each));
    if (has_model_table(each) && std::find(named.begin(), named.end(), each.model_name) == named.end()) {
      named.push_back(each.model_name);
      models.table(each.model_name, resolved_model(each));
    }
  }
  TomlWriter jobs;
  for (const auto& each : scenario.jobs) jobs.table(each.name, resolved_job(scenario, each));
  for (const auto& each : scenario.traffics) traffics.table(each.name, resolved_traffic(each));
  root.table("cluster", std::move(clusters));
  if (!named.empty()) root.table("model", std::move(models));
  if (!scenario.pools.empty()) root.table("engine", std::move(engines)).table("pool", std::move(pools));
  if (!scenario.jobs.empty()) root.table("training", std::move(jobs));
  if (!scenario.traffics.empty()) root.table("traffic", std::move(traffics));

  resolved_router(scenario, root);
  return config::write(root.node());
}

}  // namespace joulecast::scenario
