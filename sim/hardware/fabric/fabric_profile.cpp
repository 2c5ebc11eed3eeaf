#include "hardware/fabric/fabric_profile.hpp"

#include <fmt/format.h>

#include <cmath>

#include "base/error.hpp"

namespace joulecast::hardware {

namespace {

using config::Bounds;

config::Record<FabricProfile> fabric_record() {
  config::Record<FabricProfile> r("fabric profile");
  r.required("name", &FabricProfile::name, Bounds::any(), "name of the fabric");
  r.optional("aliases", &FabricProfile::aliases, "[]", Bounds::any(), "other names it answers to");
  r.choice("topology", &FabricProfile::topology, {{"rail", Topology::rail}, {"leaf_spine", Topology::leaf_spine}}, "",
           "rail: equal NICs of the nodes share leaves; leaf_spine: a node's NICs are on one leaf");
  figure(r, "nics", &FabricProfile::nics, Bounds::between(1, 64), "NICs a node");
  figure(r, "nic_bandwidth", &FabricProfile::nic_bandwidth, Bounds::positive(), "bandwidth of a NIC, one way");
  figure(r, "nic_efficiency", &FabricProfile::nic_efficiency, Bounds{0, 1, true}, "share of it that collectives reach");
  figure(r, "leaf_ports", &FabricProfile::leaf_ports, Bounds::between(1, 4096), "ports of a leaf to NICs");
  figure(r, "switch_ports", &FabricProfile::switch_ports, Bounds::between(2, 4096), "all ports of a switch, at a NIC's speed");
  figure(r, "oversubscription", &FabricProfile::oversubscription, Bounds::between(1, 64), "ports down over ports up of a leaf");
  figure(r, "message_latency", &FabricProfile::message_latency, Bounds::not_negative(), "GPU to GPU through two NICs and one switch");
  figure(r, "hop_latency", &FabricProfile::hop_latency, Bounds::not_negative(), "each further switch");
  figure(r, "switch_watts", &FabricProfile::switch_watts, Bounds::not_negative(), "AC watts of a switch without optics");
  figure(r, "optic_watts", &FabricProfile::optic_watts, Bounds::not_negative(), "AC watts of an optical module");
  figure(r, "links_per_optic", &FabricProfile::links_per_optic, Bounds::between(1, 8), "links that a module carries");
  figure(r, "node_link_optics", &FabricProfile::node_link_optics, Bounds::between(0, 2), "optical ends of a link to a NIC");
  figure(r, "spine_link_optics", &FabricProfile::spine_link_optics, Bounds::between(0, 2), "optical ends of a link between switches");
  figure(r, "nic_watts", &FabricProfile::nic_watts, Bounds::not_negative(), "watts of a NIC");
  r.optional("nics_in_host", &FabricProfile::nics_in_host, "true", Bounds::any(), "the node profile's host watts hold the NICs");
  r.check([](const FabricProfile& fabric, const Place& place, config::Diagnostics& diagnostics) {
    for (const auto& [key, figure] : {std::pair{"nics", &fabric.nics},
                                      {"leaf_ports", &fabric.leaf_ports},
                                      {"switch_ports", &fabric.switch_ports},
                                      {"links_per_optic", &fabric.links_per_optic},
                                      {"node_link_optics", &fabric.node_link_optics},
                                      {"spine_link_optics", &fabric.spine_link_optics}}) {
      if (figure->value != std::floor(figure->value)) {
        diagnostics.error(place, fmt::format("\"{}\" is {}, not a whole number", key, figure->value), "write a whole number");
      }
    }
    if (fabric.topology == Topology::leaf_spine && fabric.nics.value > fabric.leaf_ports.value) {
      diagnostics.error(place, "a node has more NICs than a leaf has ports", "give more leaf_ports, or the topology \"rail\"");
    }
    const double up = std::ceil(fabric.leaf_ports.value / fabric.oversubscription.value);
    if (fabric.leaf_ports.value + up > fabric.switch_ports.value) {
      diagnostics.error(
          place,
          fmt::format("a leaf with {} ports down and {} up has more than the switch's {}", fabric.leaf_ports.value, up, fabric.switch_ports.value),
          "lower leaf_ports, or raise oversubscription or switch_ports");
    }
  });
  return r;
}

std::int64_t whole(const Figure<double>& figure) { return std::llround(figure.value); }
std::int64_t ceil_of(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

}  // namespace

FabricProfile load_fabric(const std::string& path, config::Diagnostics& diagnostics) {
  auto fabric = fabric_record().read(config::load(path), diagnostics);
  fabric.file = path;
  return fabric;
}

FabricShape shape(const FabricProfile& fabric, std::int64_t nodes) {
  JOULECAST_CHECK(nodes > 0, "a fabric without nodes");
  FabricShape s;
  s.nodes = nodes;
  s.nics = whole(fabric.nics);
  const std::int64_t ports = whole(fabric.leaf_ports);
  const bool rail = fabric.topology == Topology::rail;
  s.nodes_per_leaf = rail ? ports : ports / s.nics;
  s.leaves = ceil_of(nodes, s.nodes_per_leaf) * (rail ? s.nics : 1);
  if (s.leaves == 1) return s;
  s.uplinks = static_cast<std::int64_t>(std::ceil(fabric.leaf_ports.value / fabric.oversubscription.value));
  const std::int64_t radix = whole(fabric.switch_ports);
  const std::int64_t up = s.leaves * s.uplinks;
  if (s.leaves <= radix) {
    s.spines = ceil_of(up, radix);
  } else {
    s.spines = ceil_of(up, std::max<std::int64_t>(1, radix / 2));
    s.cores = ceil_of(up, radix);
  }
  return s;
}

}  // namespace joulecast::hardware
