#pragma once

#include <boost/graph/adjacency_list.hpp>
#include <limits>
#include <map>
#include <vector>

#include "hardware/fabric/fabric_graph.hpp"

namespace joulecast::hardware {

/// The Boost graph behind FabricGraph; only .cpp files of this folder see it.
struct FabricGraph::Impl {
  enum class Kind : std::uint8_t { gpu, hub, nic, leaf, spine };
  struct Vertex {
    Kind kind = Kind::gpu;
    std::int64_t node = 0, index = 0;
  };
  struct Link {
    std::size_t number = 0;
    double capacity = std::numeric_limits<double>::infinity();
  };
  using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, Vertex, Link>;
  using Id = Graph::vertex_descriptor;

  FabricShape shape;
  std::int64_t gpus_per_node = 0;
  std::int64_t first_leaf = 0, first_spine = 0;
  std::int64_t planes = 0;  ///< spine vertices
  std::int64_t pods = 0;    ///< leaves that the nodes need for one NIC of each
  bool rail = true;
  Graph graph;
  std::vector<std::pair<Id, Id>> ends;  ///< of each link
  mutable std::map<std::int64_t, std::vector<int>> distances;

  std::int64_t node_vertices() const { return gpus_per_node + 1 + shape.nics; }
  Id gpu(GpuPlace place) const { return static_cast<Id>(place.node * node_vertices() + place.gpu); }
  Id hub(std::int64_t node) const { return static_cast<Id>(node * node_vertices() + gpus_per_node); }
  Id nic(std::int64_t node, std::int64_t k) const { return hub(node) + 1 + static_cast<Id>(k); }
  Id leaf(std::int64_t k) const { return static_cast<Id>(first_leaf + k); }
  Id spine(std::int64_t k) const { return static_cast<Id>(first_spine + k); }
  std::int64_t leaf_of(std::int64_t node, std::int64_t k) const {
    return rail ? k * pods + node / shape.nodes_per_leaf : node / shape.nodes_per_leaf;
  }
  /// [first, past the last) NIC of a GPU: one, shared with neighbours where there are fewer NICs than GPUs, or several of its own.
  std::pair<std::int64_t, std::int64_t> nics_of(std::int64_t gpu_number) const;

  void connect(Id a, Id b, double capacity);
  std::size_t number(Id from, Id to) const;
  /// Hops of every switch to a leaf, through switches alone; -1 where there is no way.
  const std::vector<int>& distances_to(std::int64_t leaf_number) const;
};

}  // namespace joulecast::hardware
