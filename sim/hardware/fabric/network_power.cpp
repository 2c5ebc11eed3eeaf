#include "hardware/fabric/network_power.hpp"

#include <cmath>

namespace joulecast::hardware {

NetworkWatts network_watts(const FabricProfile& fabric, std::int64_t nodes) {
  const FabricShape s = shape(fabric, nodes);
  const double ends =
      static_cast<double>(s.node_links()) * fabric.node_link_optics.value + static_cast<double>(s.switch_links()) * fabric.spine_link_optics.value;
  NetworkWatts watts;
  watts.switches = static_cast<double>(s.switches()) * fabric.switch_watts.value;
  watts.optics = std::ceil(ends / fabric.links_per_optic.value) * fabric.optic_watts.value;
  if (!fabric.nics_in_host) watts.nics = static_cast<double>(s.node_links()) * fabric.nic_watts.value;
  return watts;
}

Watts network_watts_a_node(const FabricProfile& fabric, std::int64_t nodes) {
  return network_watts(fabric, nodes).total() / static_cast<double>(nodes);
}

}  // namespace joulecast::hardware
