#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "hardware/fabric/fabric_profile.hpp"

namespace joulecast::hardware {

/// A GPU by its node and its place in it.
struct GpuPlace {
  std::int64_t node = 0;
  std::int64_t gpu = 0;
};

/// The graph of a cluster's links: GPUs, the hub that joins those of a node (NVSwitch, or PCIe), NICs, leaves, spines; a directed edge a direction.
/// In-node edges have the bandwidth that the GPU's collectives reach there, edges to NICs do not limit, network edges have
/// nic_bandwidth*nic_efficiency, times the cables between a leaf and a spine. Spines do the same (messages spread over all of them), so more than
/// 16 are 16 vertices with the cables of all: the loads are the same. A layer of cores above the spines is taken as one that never limits.
class FabricGraph {
 public:
  FabricGraph(const FabricProfile& fabric, std::int64_t nodes, std::int64_t gpus_per_node, BytesPerSecond gpu_link, double nic_efficiency);
  FabricGraph(FabricGraph&&) noexcept;
  ~FabricGraph();

  const FabricShape& shape() const;
  std::int64_t gpus_per_node() const;
  std::size_t vertices() const;
  std::size_t links() const;
  /// Bytes a second, and "leaf 3 to spine 1".
  double capacity(std::size_t link) const;
  std::string link_name(std::size_t link) const;
  /// The names of the vertices on one shortest way (the first by number) between two GPUs, both included.
  std::vector<std::string> route(GpuPlace from, GpuPlace to) const;

 private:
  friend class LinkLoads;
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Bytes on each link of messages that are all under way at once. Between leaves a message is spread evenly over all shortest ways (adaptive
/// routing, or enough flows for ECMP).
class LinkLoads {
 public:
  /// `graph` outlives this object.
  explicit LinkLoads(const FabricGraph& graph);
  explicit LinkLoads(FabricGraph&&) = delete;

  void add(GpuPlace from, GpuPlace to, double bytes);

  struct Slowest {
    double seconds = 0;    ///< the largest bytes/capacity
    std::size_t link = 0;  ///< where
    int hops = 0;          ///< most switches that a message passes
  };
  Slowest slowest() const;

 private:
  const FabricGraph& graph_;
  std::vector<double> bytes_;
  std::map<std::pair<std::int64_t, std::int64_t>, double> between_leaves_;
  bool through_a_leaf_ = false;
};

}  // namespace joulecast::hardware
