#include "hardware/fabric/fabric_graph.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/graph/breadth_first_search.hpp>
#include <boost/graph/filtered_graph.hpp>

#include "base/error.hpp"
#include "hardware/fabric/fabric_graph_impl.hpp"

namespace joulecast::hardware {

namespace {

constexpr std::int64_t kMostPlanes = 16;

std::string vertex_name(const auto& vertex) {
  constexpr std::string_view kinds[] = {"GPU", "hub", "NIC", "leaf", "spine"};
  const auto kind = static_cast<std::size_t>(vertex.kind);
  if (kind >= 3) return fmt::format("{} {}", kinds[kind], vertex.index);
  if (kind == 1) return fmt::format("node {} hub", vertex.node);
  return fmt::format("node {} {} {}", vertex.node, kinds[kind], vertex.index);
}

}  // namespace

std::pair<std::int64_t, std::int64_t> FabricGraph::Impl::nics_of(std::int64_t gpu_number) const {
  const std::int64_t first = gpu_number * shape.nics / gpus_per_node;
  return {first, std::max(first + 1, (gpu_number + 1) * shape.nics / gpus_per_node)};
}

void FabricGraph::Impl::connect(Id a, Id b, double capacity) {
  for (const auto& [from, to] : {std::pair{a, b}, std::pair{b, a}}) {
    boost::add_edge(from, to, Link{ends.size(), capacity}, graph);
    ends.emplace_back(from, to);
  }
}

std::size_t FabricGraph::Impl::number(Id from, Id to) const {
  const auto [edge, found] = boost::edge(from, to, graph);
  JOULECAST_CHECK(found, "two ends without a link");
  return graph[edge].number;
}

const std::vector<int>& FabricGraph::Impl::distances_to(std::int64_t leaf_number) const {
  auto& found = distances[leaf_number];
  if (!found.empty()) return found;
  found.assign(boost::num_vertices(graph), -1);
  found[leaf(leaf_number)] = 0;
  // Links go both ways, so hops from the leaf are hops to it.
  const auto is_switch = [this](Id id) { return id >= leaf(0); };
  const boost::filtered_graph switches(graph, boost::keep_all{}, std::function<bool(Id)>(is_switch));
  boost::breadth_first_search(switches, leaf(leaf_number),
                              boost::visitor(boost::make_bfs_visitor(boost::record_distances(found.data(), boost::on_tree_edge{}))));
  return found;
}

FabricGraph::FabricGraph(const FabricProfile& fabric, std::int64_t nodes, std::int64_t gpus_per_node, BytesPerSecond gpu_link, double nic_efficiency)
    : impl_(std::make_unique<Impl>()) {
  JOULECAST_CHECK(gpus_per_node > 0 && gpu_link.si() > 0 && nic_efficiency > 0, "a fabric without GPUs or bandwidth");
  Impl& g = *impl_;
  g.shape = hardware::shape(fabric, nodes);
  g.gpus_per_node = gpus_per_node;
  g.rail = fabric.topology == Topology::rail;
  g.pods = (nodes + g.shape.nodes_per_leaf - 1) / g.shape.nodes_per_leaf;
  g.first_leaf = nodes * g.node_vertices();
  g.first_spine = g.first_leaf + g.shape.leaves;
  g.planes = std::min(g.shape.spines, kMostPlanes);
  g.graph = Impl::Graph(static_cast<std::size_t>(g.first_spine + g.planes));

  const double nic_rate = fabric.nic_bandwidth.value.si() * nic_efficiency;
  for (std::int64_t node = 0; node < nodes; ++node) {
    g.graph[g.hub(node)] = {Impl::Kind::hub, node, 0};
    for (std::int64_t k = 0; k < g.shape.nics; ++k) {
      g.graph[g.nic(node, k)] = {Impl::Kind::nic, node, k};
      g.connect(g.nic(node, k), g.leaf(g.leaf_of(node, k)), nic_rate);
    }
    for (std::int64_t j = 0; j < gpus_per_node; ++j) {
      g.graph[g.gpu({node, j})] = {Impl::Kind::gpu, node, j};
      g.connect(g.gpu({node, j}), g.hub(node), gpu_link.si());
      const auto [first, last] = g.nics_of(j);
      for (std::int64_t k = first; k < last; ++k) g.connect(g.gpu({node, j}), g.nic(node, k), std::numeric_limits<double>::infinity());
    }
  }
  for (std::int64_t s = 0; s < g.planes; ++s) g.graph[g.spine(s)] = {Impl::Kind::spine, 0, s};
  const double cables = g.planes > 0 ? static_cast<double>(g.shape.uplinks) / static_cast<double>(g.planes) : 0;
  for (std::int64_t l = 0; l < g.shape.leaves; ++l) {
    g.graph[g.leaf(l)] = {Impl::Kind::leaf, 0, l};
    for (std::int64_t s = 0; s < g.planes; ++s) g.connect(g.leaf(l), g.spine(s), cables * nic_rate);
  }
}

FabricGraph::FabricGraph(FabricGraph&&) noexcept = default;
FabricGraph::~FabricGraph() = default;

const FabricShape& FabricGraph::shape() const { return impl_->shape; }
std::int64_t FabricGraph::gpus_per_node() const { return impl_->gpus_per_node; }
std::size_t FabricGraph::vertices() const { return boost::num_vertices(impl_->graph); }
std::size_t FabricGraph::links() const { return impl_->ends.size(); }

double FabricGraph::capacity(std::size_t link) const {
  const auto [from, to] = impl_->ends[link];
  return impl_->graph[boost::edge(from, to, impl_->graph).first].capacity;
}

std::string FabricGraph::link_name(std::size_t link) const {
  const auto [from, to] = impl_->ends[link];
  return vertex_name(impl_->graph[from]) + " to " + vertex_name(impl_->graph[to]);
}

std::vector<std::string> FabricGraph::route(GpuPlace from, GpuPlace to) const {
  const Impl& g = *impl_;
  std::vector<Impl::Id> way = {g.gpu(from)};
  if (from.node == to.node) {
    way.push_back(g.hub(from.node));
  } else {
    const auto out = g.nics_of(from.gpu).first;
    const auto in = g.nics_of(to.gpu).first;
    way.push_back(g.nic(from.node, out));
    const std::int64_t target = g.leaf_of(to.node, in);
    const auto& distance = g.distances_to(target);
    for (Impl::Id at = g.leaf(g.leaf_of(from.node, out));;) {
      way.push_back(at);
      if (at == g.leaf(target)) break;
      const auto next = boost::adjacent_vertices(at, g.graph);
      at = *std::find_if(next.first, next.second, [&](Impl::Id id) { return distance[id] == distance[at] - 1; });
    }
    way.push_back(g.nic(to.node, in));
  }
  way.push_back(g.gpu(to));
  std::vector<std::string> names;
  for (const Impl::Id id : way) names.push_back(vertex_name(g.graph[id]));
  return names;
}

}  // namespace joulecast::hardware
