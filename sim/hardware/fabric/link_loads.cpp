#include <algorithm>

#include "base/error.hpp"
#include "hardware/fabric/fabric_graph.hpp"
#include "hardware/fabric/fabric_graph_impl.hpp"

namespace joulecast::hardware {

LinkLoads::LinkLoads(const FabricGraph& graph) : graph_(graph), bytes_(graph.links()) {}

void LinkLoads::add(GpuPlace from, GpuPlace to, double bytes) {
  const auto& g = *graph_.impl_;
  if (from.node == to.node) {
    if (from.gpu == to.gpu) return;
    bytes_[g.number(g.gpu(from), g.hub(from.node))] += bytes;
    bytes_[g.number(g.hub(from.node), g.gpu(to))] += bytes;
    return;
  }
  through_a_leaf_ = true;
  const auto [first, last] = g.nics_of(from.gpu);
  const std::int64_t in = g.nics_of(to.gpu).first;
  const double part = bytes / static_cast<double>(last - first);
  for (std::int64_t k = first; k < last; ++k) {
    const std::int64_t other = in + (k - first);
    const std::int64_t out_leaf = g.leaf_of(from.node, k);
    const std::int64_t in_leaf = g.leaf_of(to.node, other);
    bytes_[g.number(g.gpu(from), g.nic(from.node, k))] += part;
    bytes_[g.number(g.nic(from.node, k), g.leaf(out_leaf))] += part;
    bytes_[g.number(g.leaf(in_leaf), g.nic(to.node, other))] += part;
    bytes_[g.number(g.nic(to.node, other), g.gpu(to))] += part;
    if (out_leaf != in_leaf) between_leaves_[{in_leaf, out_leaf}] += part;
  }
}

LinkLoads::Slowest LinkLoads::slowest() const {
  const auto& g = *graph_.impl_;
  std::vector<double> bytes = bytes_;
  for (const auto& [leaves, amount] : between_leaves_) {
    const auto& distance = g.distances_to(leaves.first);
    // From the far leaf towards the near one, at each switch split over the links that come closer, by their capacity.
    std::map<std::size_t, double> here = {{g.leaf(leaves.second), amount}};
    while (here.begin()->first != g.leaf(leaves.first)) {
      std::map<std::size_t, double> next;
      for (const auto& [at, part] : here) {
        double width = 0;
        const auto [begin, end] = boost::out_edges(at, g.graph);
        const auto closer = [&, from = at](const auto& edge) { return distance[boost::target(edge, g.graph)] == distance[from] - 1; };
        for (auto edge = begin; edge != end; ++edge) width += closer(*edge) ? g.graph[*edge].capacity : 0;
        for (auto edge = begin; edge != end; ++edge) {
          if (!closer(*edge)) continue;
          const double share = part * (g.graph[*edge].capacity / width);
          bytes[g.graph[*edge].number] += share;
          next[boost::target(*edge, g.graph)] += share;
        }
      }
      here = std::move(next);
    }
  }
  Slowest result;
  if (through_a_leaf_) result.hops = g.shape.hops(between_leaves_.empty());
  const auto [begin, end] = boost::edges(g.graph);
  for (auto edge = begin; edge != end; ++edge) {
    const auto& link = g.graph[*edge];
    const double seconds = bytes[link.number] / link.capacity;
    if (seconds > result.seconds) {
      result.seconds = seconds;
      result.link = link.number;
    }
  }
  return result;
}

}  // namespace joulecast::hardware
