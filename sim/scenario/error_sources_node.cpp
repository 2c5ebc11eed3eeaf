#include <algorithm>
#include <optional>

#include "scenario/error_source_list.hpp"

namespace joulecast::scenario {

namespace {

using hardware::FabricProfile;
using hardware::NodeProfile;

template <class Profile>
struct Part {
  const char *words, *key;
  std::optional<double> (*error)(const Profile&);
  void (*move)(Profile&, double factor);
};

constexpr Part<NodeProfile> kNode[] = {
    {"host watts", "host", [](const NodeProfile& n) { return n.host.error; }, [](NodeProfile& n, double f) { scale(n.host, f); }},
    {"fan watts", "fans_peak", [](const NodeProfile& n) { return n.fans_peak.error; }, [](NodeProfile& n, double f) { scale(n.fans_peak, f); }},
    {"load of the fans' peak", "fans_peak_dc", [](const NodeProfile& n) { return n.fans_peak_dc.error; },
     [](NodeProfile& n, double f) { scale(n.fans_peak_dc, f); }},
    {"fans' idle share", "fans_idle_share", [](const NodeProfile& n) { return n.fans_idle_share.error; },
     [](NodeProfile& n, double f) { scale_share(n.fans_idle_share, f); }},
    {"supply efficiency", "psu_efficiency", [](const NodeProfile& n) { return n.psu_efficiency.error; },
     [](NodeProfile& n, double f) {
       for (auto& [load, efficiency] : n.psu_efficiency.value) efficiency = std::min(1.0, f * efficiency);
     }},
};

constexpr Part<FabricProfile> kFabricWatts[] = {
    {"switch watts", "switch_watts", [](const FabricProfile& f) { return f.switch_watts.error; },
     [](FabricProfile& f, double x) { scale(f.switch_watts, x); }},
    {"optic watts", "optic_watts", [](const FabricProfile& f) { return f.optic_watts.error; },
     [](FabricProfile& f, double x) { scale(f.optic_watts, x); }},
    {"optics of a node's link", "node_link_optics", [](const FabricProfile& f) { return f.node_link_optics.error; },
     [](FabricProfile& f, double x) { scale(f.node_link_optics, x); }},
    {"optics of a switch's link", "spine_link_optics", [](const FabricProfile& f) { return f.spine_link_optics.error; },
     [](FabricProfile& f, double x) { scale(f.spine_link_optics, x); }},
};
constexpr Part<FabricProfile> kFabricTimes[] = {
    {"NIC efficiency", "nic_efficiency", [](const FabricProfile& f) { return f.nic_efficiency.error; },
     [](FabricProfile& f, double x) { scale_share(f.nic_efficiency, x); }},
    {"message latency", "message_latency", [](const FabricProfile& f) { return f.message_latency.error; },
     [](FabricProfile& f, double x) { scale(f.message_latency, x); }},
};

/// Every copy of a fabric on a cluster: of its watts, of KV's way, of jobs.
void move_fabric(Scenario& drawn, std::size_t c, void (*move)(FabricProfile&, double), double factor) {
  Cluster& cluster = drawn.clusters[c];
  if (cluster.fabric) move(*cluster.fabric, factor);
  if (cluster.kv_fabric) move(*cluster.kv_fabric, factor);
  for (TrainingJob& job : drawn.jobs) {
    if (job.cluster == c && job.fabric) move(*job.fabric, factor);
  }
}

}  // namespace

void add_node_sources(ErrorSourceList& list, const Scenario& scenario, std::size_t c) {
  const Cluster& cluster = scenario.clusters[c];
  for (const auto& each : kNode) {
    const double error = each.error(cluster.node).value_or(0);
    list.add({cluster.node.name + " " + each.words, shown_file(cluster.node.file), each.key, error, error,
              "log the chassis's AC watts beside its GPUs', then `joulecast calibrate fit LOG --chassis AC --node " + cluster.node.name + "`",
              [c, error, move = each.move](Scenario& drawn, double normal) { move(drawn.clusters[c].node, drawn_factor(error, normal)); }});
  }
  if (!cluster.fabric) return;
  const FabricProfile& fabric = *cluster.fabric;
  const auto add = [&](const auto& parts, const std::string& remedy) {
    for (const auto& each : parts) {
      const double error = each.error(fabric).value_or(0);
      list.add({fabric.name + " " + each.words, shown_file(fabric.file), each.key, error, error, remedy,
                [c, error, move = each.move](Scenario& drawn, double normal) { move_fabric(drawn, c, move, drawn_factor(error, normal)); }});
    }
  };
  add(kFabricWatts, "read the watts of switches and count the optics, and write a fabric profile of your own");
  const bool jobs = std::any_of(scenario.jobs.begin(), scenario.jobs.end(), [&](const TrainingJob& job) { return job.cluster == c && job.fabric; });
  if (cluster.kv_fabric || jobs) add(kFabricTimes, "measure sends between two nodes, and write a fabric profile of your own");
}

}  // namespace joulecast::scenario
