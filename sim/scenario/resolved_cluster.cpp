#include "scenario/resolved.hpp"

namespace joulecast::scenario {

namespace {

TomlWriter cost(const CostTable& cost) {
  TomlWriter writer;
  if (cost.rental) writer.quantity("rental", cost.rental->amount.si(), cost.rental->currency + "/GPU/s");
  if (cost.capital) writer.quantity("capital", cost.capital->amount.si(), cost.capital->currency + "/node");
  if (cost.life) writer.quantity("life", cost.life->si(), "s");
  return writer;
}

}  // namespace

TomlWriter resolved_cluster(const Scenario& scenario, const Cluster& cluster) {
  TomlWriter writer;
  writer.text("node", cluster.node_id).text("gpu", cluster.gpu_id).number("nodes", cluster.nodes);
  if (!cluster.fabric_id.empty()) writer.text("fabric", cluster.fabric_id);
  if (scenario.sites.size() > 1) writer.text("site", scenario.sites[cluster.site].name);
  if (cluster.feed) writer.text("feed", scenario.feeds[*cluster.feed].name);
  if (cluster.cost.rental || cluster.cost.capital) writer.table("cost", cost(cluster.cost));
  return writer;
}

}  // namespace joulecast::scenario
