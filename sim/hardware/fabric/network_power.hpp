#pragma once

#include "hardware/fabric/fabric_profile.hpp"

namespace joulecast::hardware {

/// AC watts of a fabric of so many nodes, drawn whether it carries traffic or not: switches and optics draw within a few percent the same idle and
/// loaded. Management and storage networks are not in it. MLPerf Training 4.0 metered 2.01 kW a node at 8 nodes of 8 H100 and 0.93 kW at 64, whatever
/// else the site's network carried included; the NDR profile gives 0.93 and 0.61 of these.
struct NetworkWatts {
  Watts switches, optics;
  Watts nics;  ///< 0 where the node profile's host watts hold them

  Watts total() const { return switches + optics + nics; }
};
NetworkWatts network_watts(const FabricProfile& fabric, std::int64_t nodes);

/// A node's share, for NodeOverhead::network: the total over the nodes that are there.
Watts network_watts_a_node(const FabricProfile& fabric, std::int64_t nodes);

}  // namespace joulecast::hardware
