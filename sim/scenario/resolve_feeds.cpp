#include <fmt/format.h>

#include <cmath>

#include "scenario/resolver.hpp"

namespace joulecast::scenario {

std::optional<std::size_t> Resolver::site_index(const std::string& name, const std::string& of, const Place& place) {
  if (name.empty()) {
    if (scenario_.sites.size() == 1) return 0;
    if (!scenario_.sites.empty()) {
      diagnostics_.error(place, fmt::format("{} does not say at which of the {} sites it stands", of, scenario_.sites.size()),
                         fmt::format("add site = \"{}\"", scenario_.sites.front().name));
    }
    return std::nullopt;
  }
  for (std::size_t i = 0; i < scenario_.sites.size(); ++i) {
    if (scenario_.sites[i].name == name) return i;
  }
  diagnostics_.error(place, fmt::format("{} stands at a site \"{}\" that is not there", of, name),
                     nearest_table(file_.site, name) + "name a [site] table");
  return std::nullopt;
}

void Resolver::feeds() {
  for (const auto& [name, table] : file_.feed) {
    const auto site = site_index(table.site, "feed \"" + name + "\"", table.place);
    if (!site) continue;
    const double bins = table.window.si() / file_.time.bin.si();
    if (bins < 1 || std::abs(bins - std::nearbyint(bins)) > 1e-9 * bins) {
      diagnostics_.error(
          table.place,
          fmt::format("the window of feed \"{}\", {:g} s, is no multiple of the bin, {:g} s", name, table.window.si(), file_.time.bin.si()),
          "choose a window or a bin so that bins fill the window");
      continue;
    }
    scenario_.feeds.push_back({name, *site, table.rating, table.continuous.value, table.window});
  }
}

/// Where a cluster stands: at its site or its feed's.
void Resolver::place_cluster(Cluster& cluster, const ClusterTable& table) {
  if (!table.feed.empty()) {
    for (std::size_t i = 0; i < scenario_.feeds.size() && !cluster.feed; ++i) {
      if (scenario_.feeds[i].name == table.feed) cluster.feed = i;
    }
    if (!cluster.feed) {
      if (find(file_.feed, table.feed) == nullptr) {
        diagnostics_.error(table.place, fmt::format("cluster \"{}\" hangs on a feed \"{}\" that is not there", cluster.name, table.feed),
                           nearest_table(file_.feed, table.feed) + "name a [feed] table");
      }
      return;
    }
    cluster.site = scenario_.feeds[*cluster.feed].site;
    if (!table.site.empty() && table.site != scenario_.sites[cluster.site].name) {
      diagnostics_.error(table.place,
                         fmt::format("cluster \"{}\" stands at \"{}\" and its feed \"{}\" at \"{}\"", cluster.name, table.site, table.feed,
                                     scenario_.sites[cluster.site].name),
                         "leave site out, or name a feed of that site");
    }
    return;
  }
  if (const auto site = site_index(table.site, "cluster \"" + cluster.name + "\"", table.place)) cluster.site = *site;
}

/// A cluster that a pool's short form makes stands at the only site.
void Resolver::check_made_clusters() {
  if (scenario_.sites.size() < 2) return;
  for (const Cluster& cluster : scenario_.clusters) {
    if (find(file_.cluster, cluster.name) != nullptr) continue;
    const PoolTable* pool = find(file_.pool, cluster.name);
    diagnostics_.error(pool != nullptr ? pool->place : Place{},
                       fmt::format("pool \"{}\" makes its own cluster, and there are several sites", cluster.name),
                       "write a [cluster.NAME] with node, nodes and site, and name it in the pool");
  }
}

}  // namespace joulecast::scenario
