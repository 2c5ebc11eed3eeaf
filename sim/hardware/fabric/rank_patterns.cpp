#include "hardware/fabric/rank_patterns.hpp"

#include <algorithm>
#include <functional>
#include <vector>

#include "base/error.hpp"

namespace joulecast::hardware {

namespace {

using Edge = std::function<void(std::int64_t from, std::int64_t to, double bytes)>;

/// Parent of `node` in the in-order binary tree over 0 .. nodes-1: leaves are even numbers, the root is one less than the
/// largest power of two up to `nodes`. -1 for the root.
std::int64_t parent(std::int64_t node, std::int64_t nodes) {
  // In an in-order tree over 1 .. nodes, number m with lowest set bit b has the parent (m ^ b) | 2b, or m ^ b where that is beyond the last.
  const std::int64_t m = node + 1;
  for (std::int64_t bit = m & -m;; bit *= 2) {
    if (bit * 2 > nodes) return -1;
    const std::int64_t up = (m & ~(2 * bit - 1)) | (2 * bit);
    if (up <= nodes && up != m) return up - 1;
  }
}

/// Both ways along the in-order tree and along its copy on nodes shifted by one, where inner nodes are leaves and leaves inner.
void double_tree(std::int64_t nodes, const Edge& edge) {
  for (const std::int64_t shift : {std::int64_t{0}, std::int64_t{1}}) {
    for (std::int64_t i = 0; i < nodes; ++i) {
      const std::int64_t up = parent(i, nodes);
      if (up < 0) continue;
      const std::int64_t child = (i + shift) % nodes;
      const std::int64_t top = (up + shift) % nodes;
      edge(child, top, 0.5);
      edge(top, child, 0.5);
    }
  }
}

void edges(Pattern pattern, std::int64_t nodes, const Edge& edge) {
  switch (pattern) {
    case Pattern::ring:
      for (std::int64_t i = 0; i < nodes; ++i) edge(i, (i + 1) % nodes, 1);
      return;
    case Pattern::chain:
      for (std::int64_t i = 0; i + 1 < nodes; ++i) edge(i, i + 1, 1);
      return;
    case Pattern::tree:
      return double_tree(nodes, edge);
    case Pattern::all_to_all:
      for (std::int64_t i = 0; i < nodes; ++i) {
        for (std::int64_t k = 0; k < nodes; ++k) {
          if (k != i) edge(i, k, 1.0 / static_cast<double>(nodes - 1));
        }
      }
      return;
    case Pattern::pair:
      return edge(0, 1, 1);
  }
}

}  // namespace

std::int64_t nodes_of(const RankGroup& group) { return (group.ranks + group.ranks_per_node - 1) / group.ranks_per_node; }

LinkLoads::Slowest slowest_link(const FabricGraph& graph, const RankGroup& group, Pattern pattern) {
  const std::int64_t nodes = nodes_of(group);
  const std::int64_t span = (nodes - 1) * group.node_stride + 1;
  JOULECAST_CHECK(nodes >= 2 && span <= graph.shape().nodes, "a group of ranks that does not lie on the fabric's nodes");
  JOULECAST_CHECK(group.ranks_per_node * group.groups_per_node <= graph.gpus_per_node(), "more ranks on a node than it has GPUs");
  LinkLoads loads(graph);
  const double part = 1.0 / static_cast<double>(group.ranks_per_node);
  const std::int64_t block = nodes * group.node_stride;
  const std::int64_t blocks = std::max<std::int64_t>(1, graph.shape().nodes / block);
  for (std::int64_t b = 0; b < blocks; ++b) {
    for (std::int64_t offset = 0; offset < group.node_stride; ++offset) {
      const std::int64_t first = b * block + offset;
      if (first + span > graph.shape().nodes) continue;
      edges(pattern, nodes, [&](std::int64_t from, std::int64_t to, double bytes) {
        for (std::int64_t j = 0; j < group.ranks_per_node * group.groups_per_node; ++j) {
          loads.add({first + from * group.node_stride, j}, {first + to * group.node_stride, j}, bytes * part);
        }
      });
    }
  }
  return loads.slowest();
}

}  // namespace joulecast::hardware
