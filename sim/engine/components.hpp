#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace joulecast::engine {

/// Disjoint sets of 0 .. count - 1; the representative of a set is its least member.
class DisjointSets {
 public:
  explicit DisjointSets(std::size_t count);
  std::uint32_t find(std::uint32_t member);
  void unite(std::uint32_t a, std::uint32_t b);

 private:
  std::vector<std::uint32_t> parent_;
};

/// Edges out of each node.
using Graph = std::vector<std::vector<std::uint32_t>>;

/// The strongly connected component of each node, numbered so that an edge between components goes from a higher number to a lower
/// (Tarjan: "Depth-first search and linear graph algorithms", SIAM J. Comput. 1(2), 1972).
std::vector<std::uint32_t> strong_components(const Graph& graph);

}  // namespace joulecast::engine
