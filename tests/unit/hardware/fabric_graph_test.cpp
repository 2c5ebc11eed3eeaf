// The graph of links, routes through it, and loads: conservation, even spreading, the oversubscribed leaf.
#include "hardware/fabric/fabric_graph.hpp"

#include <catch2/catch.hpp>

#include "hardware/fabric/rank_patterns.hpp"
#include "unit/hardware/fabric_fixture.hpp"

using namespace joulecast;
using namespace joulecast::hardware;

namespace {

FabricGraph graph_of(const FabricProfile& fabric, std::int64_t nodes, std::int64_t gpus) {
  return {fabric, nodes, gpus, BytesPerSecond(1e12), fabric.nic_efficiency.value};
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("vertices and links of rails") {
  // 16 nodes of 4 GPUs and 4 NICs, 8 ports down: 2 leaves a rail, 8; 8 uplinks each = 64 on 4 spines.
  const auto graph = graph_of(round_fabric(Topology::rail, 4, 1), 16, 4);
  CHECK(graph.shape().leaves == 8);
  CHECK(graph.shape().spines == 4);
  CHECK(graph.vertices() == 16 * (4 + 1 + 4) + 8 + 4);
  // Both directions of: GPU-hub, GPU-NIC, NIC-leaf, leaf-spine.
  CHECK(graph.links() == 2 * (16 * (4 + 4 + 4) + 8 * 4));
  double up = 0;
  for (std::size_t link = 0; link < graph.links(); ++link) {
    if (graph.link_name(link).starts_with("leaf 3 to spine")) up += graph.capacity(link);
  }
  CHECK(up == Approx(8 * 10e9).epsilon(1e-14));
}

TEST_CASE("routes: through the hub in a node, one leaf on a rail, spines beyond it") {
  const auto graph = graph_of(round_fabric(Topology::rail, 4, 1), 16, 4);
  CHECK(graph.route({2, 0}, {2, 3}) == Names{"node 2 GPU 0", "node 2 hub", "node 2 GPU 3"});
  CHECK(graph.route({0, 1}, {7, 1}) == Names{"node 0 GPU 1", "node 0 NIC 1", "leaf 2", "node 7 NIC 1", "node 7 GPU 1"});
  CHECK(graph.route({0, 1}, {8, 1}) == Names{"node 0 GPU 1", "node 0 NIC 1", "leaf 2", "spine 0", "leaf 3", "node 8 NIC 1", "node 8 GPU 1"});
  CHECK(graph.route({0, 0}, {1, 1}).size() == 7);  // another rail
  const auto shared = graph_of(round_fabric(Topology::leaf_spine, 2, 1), 4, 8);
  CHECK(shared.route({0, 3}, {1, 7}) == Names{"node 0 GPU 3", "node 0 NIC 0", "leaf 0", "node 1 NIC 1", "node 1 GPU 7"});
}

TEST_CASE("a message loads each link of its way once, spread evenly over equal ways") {
  const auto graph = graph_of(round_fabric(Topology::rail, 1, 1), 16, 1);
  LinkLoads loads(graph);
  loads.add({0, 0}, {9, 0}, 10e9);
  // The NIC carries all of it: 1 s. 8 uplinks on one spine carry a tenth each at most.
  CHECK(loads.slowest().seconds == Approx(1).epsilon(1e-14));
  CHECK(loads.slowest().hops == 3);
  LinkLoads near(graph);
  near.add({0, 0}, {1, 0}, 10e9);
  CHECK(near.slowest().hops == 1);
  LinkLoads nothing(graph);
  CHECK(nothing.slowest().seconds == 0);
  CHECK(nothing.slowest().hops == 0);
}

TEST_CASE("an oversubscribed leaf: what all its nodes send beyond it takes the ratio longer") {
  for (const double ratio : {1.0, 2.0, 4.0}) {
    // 8 nodes on each of 2 leaves; each node sends to its peer on the other leaf: 8 NICs of 10 GB/s over 8/ratio uplinks.
    const auto graph = graph_of(round_fabric(Topology::rail, 1, ratio), 16, 1);
    LinkLoads loads(graph);
    for (std::int64_t node = 0; node < 8; ++node) loads.add({node, 0}, {node + 8, 0}, 10e9);
    CHECK(loads.slowest().seconds == Approx(ratio).epsilon(1e-14));
    if (ratio > 1) CHECK(graph.link_name(loads.slowest().link).starts_with("leaf 0 to spine"));
    // A ring over neighbours crosses once: no leaf is its bottleneck below a ratio of 8.
    CHECK(slowest_link(graph, {16, 1, 1}, Pattern::ring).seconds == Approx(1e-10).epsilon(1e-14));
    // Rings of 2 nodes 8 apart, 8 of them at once: every edge crosses.
    CHECK(slowest_link(graph, {2, 1, 1, 8}, Pattern::ring).seconds == Approx(ratio * 1e-10).epsilon(1e-14));
  }
}

TEST_CASE("more spines than the graph draws one by one load their leaves alike") {
  // Rings 8 nodes apart leave each of the 16 leaves with every edge.
  const auto graph = graph_of(round_fabric(Topology::leaf_spine, 1, 4), 16 * 8, 1);
  CHECK(graph.shape().leaves == 16);
  CHECK(slowest_link(graph, {16, 1, 1, 8}, Pattern::ring).seconds == Approx(4e-10).epsilon(1e-14));
  const auto wide = graph_of(round_fabric(Topology::rail, 17, 1), 16, 17);
  CHECK(wide.shape().leaves == 34);
  CHECK(wide.shape().spines == 34);  // three levels: spines keep half of their ports for cores
  CHECK(wide.vertices() == 16 * (17 + 1 + 17) + 34 + 16);
  CHECK(slowest_link(wide, {2, 1, 1, 8}, Pattern::ring).seconds == Approx(1e-10).epsilon(1e-13));
}

TEST_CASE("the rings of a node share its NICs") {
  // Seconds a byte that each group sends along its ring, times 10 GB/s.
  const auto one_nic = graph_of(round_fabric(Topology::rail, 1, 1), 8, 8);
  const auto four = graph_of(round_fabric(Topology::rail, 4, 1), 8, 8);
  const auto rate = [](const FabricGraph& graph, const RankGroup& group) { return slowest_link(graph, group, Pattern::ring).seconds * 10e9; };
  CHECK(rate(one_nic, {8, 1, 1}) == Approx(1));
  CHECK(rate(one_nic, {8, 1, 4}) == Approx(4));
  CHECK(rate(one_nic, {8, 1, 8}) == Approx(8));
  CHECK(rate(four, {8, 1, 1}) == Approx(1));      // one GPU uses its own NIC alone
  CHECK(rate(four, {8, 1, 8}) == Approx(2));      // two GPUs a NIC
  CHECK(rate(four, {64, 8, 1}) == Approx(0.25));  // one group over all four
  CHECK(rate(four, {32, 4, 2}) == Approx(0.5));
}

TEST_CASE("two half trees: no NIC sends or takes more than twice the bytes; other patterns send them once") {
  for (const std::int64_t nodes : {2, 3, 4, 5, 7, 8, 16}) {
    INFO(nodes);
    const auto graph = graph_of(round_fabric(Topology::rail, 1, 1), nodes, 1);
    const double tree = slowest_link(graph, {nodes, 1, 1}, Pattern::tree).seconds * 10e9;
    CHECK(tree <= 2 + 1e-12);
    CHECK(tree >= 1 - 1e-12);
    if (nodes >= 8) CHECK(tree == Approx(2));
    CHECK(slowest_link(graph, {nodes, 1, 1}, Pattern::all_to_all).seconds * 10e9 == Approx(1));
    CHECK(slowest_link(graph, {nodes, 1, 1}, Pattern::chain).seconds * 10e9 == Approx(1));
  }
}
