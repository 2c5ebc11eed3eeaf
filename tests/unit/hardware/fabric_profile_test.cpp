// Shipped fabrics, the switches that so many nodes take, their watts, and what a profile is refused for.
#include "hardware/fabric/fabric_profile.hpp"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "hardware/fabric/network_power.hpp"
#include "hardware/node.hpp"
#include "hardware/profiles.hpp"
#include "unit/hardware/fabric_fixture.hpp"

using namespace joulecast;
using namespace joulecast::hardware;

namespace {

FabricProfile shipped_fabric(const std::string& name) {
  config::Diagnostics diagnostics;
  auto fabric = load_fabric(find_profile(fabric_folder("."), "fabric", name, {}), diagnostics);
  diagnostics.throw_if_failed();
  return fabric;
}

std::string fault_of(const std::string& lines) {
  const auto path = std::filesystem::temp_directory_path() / "joulecast-fabric-test.toml";
  std::ofstream(path) << "extends = \"" << std::filesystem::absolute("hardware_profiles/fabrics/eth-2x100g.toml").string() << "\"\n" << lines;
  config::Diagnostics diagnostics;
  load_fabric(path.string(), diagnostics);
  std::filesystem::remove(path);
  try {
    diagnostics.throw_if_failed();
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("every shipped fabric loads, each figure has a source, and nodes name fabrics that exist") {
  for (const auto& entry : list_profiles(fabric_folder("."))) {
    INFO(entry.path);
    const auto lines = figures(shipped_fabric(entry.name));
    CHECK(lines.size() == 14);
    for (const auto& line : lines) {
      INFO(line.key);
      CHECK_FALSE(line.source.empty());
      if (line.kind == FigureKind::modelled || line.kind == FigureKind::calibrated) CHECK(line.error.has_value());
    }
  }
  for (const auto& entry : list_profiles(node_folder("."))) {
    config::Diagnostics diagnostics;
    const auto node = load_node(entry.path, diagnostics);
    diagnostics.throw_if_failed();
    if (!node.fabric.empty()) CHECK_NOTHROW(shipped_fabric(node.fabric));
  }
}

TEST_CASE("switches by number of nodes: rails of the DGX SuperPOD, one leaf, three levels") {
  const auto ndr = shipped_fabric("ib-ndr-8x400g");
  // 32 nodes: 8 leaves (one a rail) of 32 ports up, 256 uplinks on 4 spines of 64 ports; 64 nodes twice that.
  CHECK(shape(ndr, 32).leaves == 8);
  CHECK(shape(ndr, 32).spines == 4);
  CHECK(shape(ndr, 64).leaves == 16);
  CHECK(shape(ndr, 64).spines == 8);
  CHECK(shape(ndr, 64).cores == 0);
  CHECK(shape(ndr, 33).leaves == 16);
  // 288 nodes: 72 leaves, more than a spine has ports: 72 spines of 32 ports down, 36 cores of 64.
  CHECK(shape(ndr, 288).leaves == 72);
  CHECK(shape(ndr, 288).spines == 72);
  CHECK(shape(ndr, 288).cores == 36);
  CHECK(shape(ndr, 288).hops(false) == 5);
  // 48 ports of a leaf take 24 nodes of 2 NICs.
  const auto eth = shipped_fabric("eth-2x100g");
  CHECK(shape(eth, 24).switches() == 1);
  CHECK(shape(eth, 24).switch_links() == 0);
  CHECK(shape(eth, 25).leaves == 2);
  CHECK(shape(eth, 25).uplinks == 16);
  CHECK(shape(eth, 25).spines == 1);
}

TEST_CASE("watts: switches, optics by links and modules, NICs only where the host does not hold them") {
  auto fabric = round_fabric(Topology::leaf_spine, 2, 1);
  // 8 nodes of 2 NICs on 2 leaves, 8 uplinks each, one spine of 16 ports: 3 switches; (16 + 2*16)/2 = 24 modules.
  CHECK(network_watts(fabric, 8).switches.si() == 300);
  CHECK(network_watts(fabric, 8).optics.si() == 240);
  CHECK(network_watts(fabric, 8).nics.si() == 0);
  CHECK(network_watts_a_node(fabric, 8).si() == Approx(67.5));
  fabric.nics_in_host = false;
  CHECK(network_watts(fabric, 8).nics.si() == 320);
  // Metered, MLPerf Training 4.0 (all of the site's network): 2.013 kW a node at 8 nodes, 0.931 kW at 64.
  const auto ndr = shipped_fabric("ib-ndr-8x400g");
  CHECK(network_watts_a_node(ndr, 8).si() == Approx(2013).epsilon(0.15));
  CHECK(network_watts_a_node(ndr, 64).si() / 931 > 0.5);
  CHECK(network_watts_a_node(ndr, 64).si() / 931 < 1.0);
}

TEST_CASE("a node's share of the network stands in its overhead") {
  config::Diagnostics diagnostics;
  auto node = load_node(find_profile(node_folder("."), "node", "dgx-h100", {}), diagnostics);
  CHECK(node.overhead().network.si() == 0);
  node.network = network_watts_a_node(shipped_fabric(node.fabric), 32);
  CHECK(node.overhead().network == node.network);
  CHECK(node.overhead().chassis_ac(Watts(4000)) == load_node(node.file, diagnostics).overhead().chassis_ac(Watts(4000)));
}

TEST_CASE("what a fabric profile is refused for") {
  CHECK(fault_of("") == "");
  CHECK_THAT(fault_of("topology = \"torus\"\n"), Catch::Contains("torus") && Catch::Contains("leaf_spine"));
  CHECK_THAT(fault_of("[nics]\nvalue = 2.5\n"), Catch::Contains("nics") && Catch::Contains("whole number"));
  CHECK_THAT(fault_of("[nics]\nvalue = 60\n"), Catch::Contains("more NICs than a leaf has ports"));
  CHECK_THAT(fault_of("[oversubscription]\nvalue = 1\n"), Catch::Contains("48 ports down and 48 up"));
  CHECK_THAT(fault_of("[oversubscription]\nvalue = 0.5\n"), Catch::Contains("oversubscription") && Catch::Contains("bounds"));
  CHECK_THAT(fault_of("[nic_bandwidth]\nvalue = \"12.5 GB\"\n"), Catch::Contains("nic_bandwidth") || Catch::Contains("12.5 GB"));
  CHECK_THAT(fault_of("spine_watts = 3\n"), Catch::Contains("spine_watts"));
}
