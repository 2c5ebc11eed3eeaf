#include <algorithm>

#include "config/files.hpp"
#include "hardware/profiles.hpp"
#include "hardware/tier.hpp"
#include "scenario/resolver.hpp"
#include "scenario/toml_writer.hpp"

namespace joulecast::scenario {

std::optional<Cluster> Resolver::cluster(const std::string& name, const std::string& node, const std::string& gpu, const CostTable& cost,
                                         const Place& place) {
  Cluster cluster;
  cluster.name = name;
  cluster.node_id = node;
  cluster.cost = cost;
  const auto read = [&](const std::string& file) {
    const auto files = config::files_of(file);
    scenario_.inputs.insert(scenario_.inputs.end(), files.begin(), files.end());
  };
  const bool found = collecting([&] {
    const std::string path = hardware::find_profile(hardware::node_folder(share_), "node", node, place);
    cluster.node = hardware::load_node(path, diagnostics_);
    read(path);
    if (diagnostics_.failed()) return;
    cluster.gpu_id = gpu.empty() ? cluster.node.gpu : gpu;
    const Place named_at = gpu.empty() ? Place{path, 0, 0} : place;
    const std::string gpu_path = hardware::find_profile(hardware::gpu_folder(share_), "GPU", cluster.gpu_id, named_at);
    cluster.gpu = hardware::load_gpu(gpu_path, diagnostics_);
    read(gpu_path);
    if (cluster.node_id.ends_with(".toml")) cluster.node_id = absolute(path);
    if (cluster.gpu_id.ends_with(".toml")) cluster.gpu_id = absolute(gpu_path);
    const hardware::TableFiles& tables = cluster.gpu.tables;
    if (!tables.operations.empty()) scenario_.inputs.push_back(tables.operations);
    scenario_.inputs.insert(scenario_.inputs.end(), tables.layers.begin(), tables.layers.end());
  });
  if (!found || diagnostics_.failed()) return std::nullopt;
  const std::string warning = hardware::warning(cluster.gpu);
  auto& notes = scenario_.notes;
  if (!warning.empty() && std::find(notes.begin(), notes.end(), warning) == notes.end()) notes.push_back(warning);
  return cluster;
}

void Resolver::clusters() {
  for (const auto& [name, table] : file_.cluster) {
    auto made = cluster(name, table.node, table.gpu, table.cost, table.place);
    if (!made) continue;
    made->nodes = static_cast<int>(table.nodes);
    place_cluster(*made, table);
    join_cluster(*made, table);
    scenario_.clusters.push_back(*std::move(made));
  }
}

}  // namespace joulecast::scenario
