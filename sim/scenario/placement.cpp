#include "scenario/placement.hpp"

#include <fmt/format.h>

namespace joulecast::scenario {

Placement place(const Scenario& scenario) {
  Placement placement;
  for (const Cluster& cluster : scenario.clusters) {
    placement.unused_gpus.emplace_back(static_cast<std::size_t>(cluster.nodes), cluster.node.gpus);
  }
  std::vector<std::size_t> first_free(scenario.clusters.size(), 0);
  for (const Pool& pool : scenario.pools) {
    auto& free = placement.unused_gpus[pool.cluster];
    auto& nodes = placement.node_of_replica.emplace_back();
    std::size_t node = first_free[pool.cluster];
    for (int replica = 0; replica < pool.replicas; ++replica) {
      while (node < free.size() && free[node] < pool.tensor_parallel_size) ++node;
      if (node == free.size()) {
        placement.fits = false;
        break;
      }
      free[node] -= pool.tensor_parallel_size;
      nodes.push_back(static_cast<int>(node));
    }
    while (first_free[pool.cluster] < free.size() && free[first_free[pool.cluster]] == 0) ++first_free[pool.cluster];
  }
  return placement;
}

void check_placement(const Scenario& scenario, config::Diagnostics& diagnostics) {
  if (place(scenario).fits) return;
  for (std::size_t c = 0; c < scenario.clusters.size(); ++c) {
    const Cluster& cluster = scenario.clusters[c];
    std::int64_t wanted = 0;
    std::string pools;
    for (const Pool& pool : scenario.pools) {
      if (pool.cluster != c) continue;
      wanted += std::int64_t{pool.replicas} * pool.tensor_parallel_size;
      pools += fmt::format("{}{} ({} x {})", pools.empty() ? "" : ", ", pool.name, pool.replicas, pool.tensor_parallel_size);
    }
    diagnostics.error({},
                      fmt::format("cluster \"{}\" has {} GPUs in nodes of {}; its pools want {}: {}", cluster.name,
                                  std::int64_t{cluster.nodes} * cluster.node.gpus, cluster.node.gpus, wanted, pools),
                      "add nodes or take replicas away; a replica lies in one node");
  }
}

}  // namespace joulecast::scenario
