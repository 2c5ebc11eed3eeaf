#include "scenario/placement.hpp"

#include <catch2/catch.hpp>

using namespace joulecast::scenario;

namespace {

/// Clusters of nodes of 8 GPUs; a pool is (cluster, GPUs of a replica, replicas).
Scenario fleet(const std::vector<int>& nodes, const std::vector<std::array<int, 3>>& pools) {
  Scenario scenario;
  for (const int count : nodes) {
    Cluster cluster;
    cluster.nodes = count;
    cluster.node.gpus = 8;
    scenario.clusters.push_back(cluster);
  }
  for (const auto& [cluster, parallel, replicas] : pools) {
    Pool pool;
    pool.cluster = static_cast<std::size_t>(cluster);
    pool.tensor_parallel_size = parallel;
    pool.replicas = replicas;
    scenario.pools.push_back(pool);
  }
  return scenario;
}

}  // namespace

TEST_CASE("Replicas fill nodes in order, and no replica lies in two") {
  const Placement placement = place(fleet({3}, {{0, 3, 4}}));
  CHECK(placement.fits);
  CHECK(placement.node_of_replica == std::vector<std::vector<int>>{{0, 0, 1, 1}});
  CHECK(placement.unused_gpus == std::vector<std::vector<int>>{{2, 2, 8}});
}

TEST_CASE("A later pool takes what an earlier one left, in the first node with room") {
  const Placement placement = place(fleet({2}, {{0, 5, 2}, {0, 4, 0}, {0, 1, 4}, {0, 2, 1}}));
  CHECK(placement.fits);
  CHECK(placement.node_of_replica == std::vector<std::vector<int>>{{0, 1}, {}, {0, 0, 0, 1}, {1}});
  CHECK(placement.unused_gpus == std::vector<std::vector<int>>{{0, 0}});
}

TEST_CASE("Pools of one cluster do not see another's nodes") {
  const Placement placement = place(fleet({1, 2}, {{1, 8, 1}, {0, 4, 2}}));
  CHECK(placement.fits);
  CHECK(placement.node_of_replica == std::vector<std::vector<int>>{{0}, {0, 0}});
  CHECK(placement.unused_gpus == std::vector<std::vector<int>>{{0}, {0, 8}});
}

TEST_CASE("Enough GPUs in all but none together do not hold a replica") {
  CHECK_FALSE(place(fleet({2}, {{0, 5, 3}})).fits);
  CHECK(place(fleet({2}, {{0, 8, 2}})).fits);
}
