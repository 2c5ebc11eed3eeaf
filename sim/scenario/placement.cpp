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
      while (node < free.size() && free[node] < pool.gpus_per_replica()) ++node;
      if (node == free.size()) {
        placement.fits = false;
        break;
      }
      free[node] -= pool.gpus_per_replica();
      nodes.push_back(static_cast<int>(node));
    }
    while (first_free[pool.cluster] < free.size() && free[first_free[pool.cluster]] == 0) ++first_free[pool.cluster];
  }
  for (const TrainingJob& job : scenario.jobs) {
    auto& free = placement.unused_gpus[job.cluster];
    placement.stages_of_job.push_back(place_job(job, scenario.clusters[job.cluster].node.gpus, free));
    if (placement.stages_of_job.back().empty()) placement.fits = false;
  }
  return placement;
}

std::vector<std::vector<bool>> nodes_of_jobs(const Scenario& scenario, const Placement& placement) {
  std::vector<std::vector<bool>> alone;
  for (const auto& unused : placement.unused_gpus) {
    auto& nodes = alone.emplace_back();
    for (const int gpus : unused) nodes.push_back(gpus == 0);
  }
  for (std::size_t p = 0; p < scenario.pools.size(); ++p) {
    for (const int node : placement.node_of_replica[p]) alone[scenario.pools[p].cluster][static_cast<std::size_t>(node)] = false;
  }
  return alone;
}

void check_placement(const Scenario& scenario, config::Diagnostics& diagnostics) {
  if (place(scenario).fits) return;
  for (std::size_t c = 0; c < scenario.clusters.size(); ++c) {
    const Cluster& cluster = scenario.clusters[c];
    std::int64_t wanted = 0;
    std::string pools;
    for (const Pool& pool : scenario.pools) {
      if (pool.cluster != c) continue;
      wanted += std::int64_t{pool.replicas} * pool.gpus_per_replica();
      pools += fmt::format("{}{} ({} x {})", pools.empty() ? "" : ", ", pool.name, pool.replicas, pool.gpus_per_replica());
    }
    for (const TrainingJob& job : scenario.jobs) {
      if (job.cluster != c) continue;
      wanted += job.gpus();
      pools += fmt::format("{}{} ({} x {})", pools.empty() ? "" : ", ", job.name, job.layout.pipeline * job.layout.data, job.layout.gpus_per_stage());
    }
    diagnostics.error(
        {},
        fmt::format("cluster \"{}\" has {} GPUs in nodes of {}; its pools{} want {}: {}", cluster.name,
                    std::int64_t{cluster.nodes} * cluster.node.gpus, cluster.node.gpus, scenario.jobs.empty() ? "" : " and jobs", wanted, pools),
        scenario.jobs.empty()
            ? "add nodes or take replicas away; a replica lies in one node"
            : "add nodes or take replicas or GPUs away; a replica lies in one node, a stage of a job in one or in several whole ones");
  }
}

}  // namespace joulecast::scenario
