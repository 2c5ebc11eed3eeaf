#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hardware/gpu.hpp"

namespace joulecast::hardware {

/// How NICs reach leaves. rail: the k-th NICs of the nodes share leaves, so a ring over equal NICs stays below one leaf. leaf_spine: all NICs of a
/// node are on one leaf.
enum class Topology : std::uint8_t { rail, leaf_spine };

/// A network between nodes: `hardware_profiles/fabrics/*.toml`. Switches are all of one kind; each leaf has `leaf_ports` ports to NICs and
/// leaf_ports/oversubscription to spines.
struct FabricProfile {
  std::string file;
  std::string name;
  std::vector<std::string> aliases;
  Topology topology = Topology::rail;
  Figure<double> nics;                   ///< a node; GPU j of g uses NIC floor(j*nics/g)
  Figure<BytesPerSecond> nic_bandwidth;  ///< one way
  Figure<double> nic_efficiency;         ///< share of it that collectives reach
  Figure<double> leaf_ports, switch_ports;
  Figure<double> oversubscription;   ///< ports down over ports up of a leaf
  Figure<Seconds> message_latency;   ///< from GPU to GPU through two NICs and one switch
  Figure<Seconds> hop_latency;       ///< of each further switch
  Figure<Watts> switch_watts;        ///< AC, optics left out
  Figure<Watts> optic_watts;         ///< AC watts of one optical module
  Figure<double> links_per_optic;    ///< 2 for twin-port modules
  Figure<double> node_link_optics;   ///< optical ends of a link between NIC and leaf: 0 (copper), 1, 2
  Figure<double> spine_link_optics;  ///< and of one between switches
  Figure<Watts> nic_watts;           ///< of one NIC
  bool nics_in_host = true;          ///< the node profile's host watts hold them
};

/// Reads a fabric profile and reports every fault.
FabricProfile load_fabric(const std::string& path, config::Diagnostics& diagnostics);
std::vector<FigureLine> figures(const FabricProfile& fabric);

inline std::string fabric_folder(const std::string& share) { return share + "/hardware_profiles/fabrics"; }

/// The switches and cables that so many nodes take. Leaves are filled one after another; spines join all leaves where there is more than one leaf;
/// above what one layer of spines can join there is a layer more (a three-level fat tree without oversubscription above the leaves).
struct FabricShape {
  std::int64_t nodes = 0, nics = 0;
  std::int64_t leaves = 0, uplinks = 0, spines = 0, cores = 0;  ///< uplinks: of one leaf; 0 with one leaf
  std::int64_t nodes_per_leaf = 0;

  std::int64_t switches() const { return leaves + spines + cores; }
  std::int64_t node_links() const { return nodes * nics; }
  std::int64_t switch_links() const { return leaves * uplinks * (cores > 0 ? 2 : 1); }
  /// Switches that a message passes within a leaf, and between two.
  int hops(bool within_leaf) const { return within_leaf ? 1 : cores > 0 ? 5 : 3; }
};
FabricShape shape(const FabricProfile& fabric, std::int64_t nodes);

}  // namespace joulecast::hardware
