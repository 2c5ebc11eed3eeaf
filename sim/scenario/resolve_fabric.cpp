#include "hardware/fabric/network_power.hpp"
#include "hardware/profiles.hpp"
#include "scenario/resolver.hpp"
#include "scenario/toml_writer.hpp"

namespace joulecast::scenario {

/// The fabric that a cluster names joins its nodes: jobs go over it, and each node carries its share of switches and optics.
void Resolver::join_cluster(Cluster& cluster, const ClusterTable& table) {
  if (table.fabric.empty()) return;
  collecting([&] {
    const std::string path = hardware::find_profile(hardware::fabric_folder(share_), "fabric", table.fabric, table.place);
    const auto fabric = hardware::load_fabric(path, diagnostics_);
    scenario_.inputs.push_back(path);
    if (diagnostics_.failed()) return;
    cluster.fabric_id = table.fabric.ends_with(".toml") ? absolute(path) : table.fabric;
    cluster.node.fabric = cluster.fabric_id;
    cluster.node.network = hardware::network_watts_a_node(fabric, cluster.nodes);
    cluster.fabric = fabric;
  });
}

}  // namespace joulecast::scenario
