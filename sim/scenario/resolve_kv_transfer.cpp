#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "hardware/fabric/in_node.hpp"
#include "hardware/fabric/network_power.hpp"
#include "hardware/profiles.hpp"
#include "scenario/placement.hpp"
#include "scenario/resolver.hpp"

namespace joulecast::scenario {

namespace {

using serving::KvRole;

bool plays(const Pool& pool, const std::string& model, KvRole role) { return pool.model_name == model && pool.engine.kv_role == role; }

}  // namespace

/// A model that has prefill pools needs decode pools, and the other way round; a block of KV holds as many tokens in both.
void Resolver::check_roles(const Traffic& traffic, const Place& place) {
  for (const std::string& model : traffic.models) {
    const auto count = [&](KvRole role) {
      return std::count_if(scenario_.pools.begin(), scenario_.pools.end(), [&](const Pool& pool) { return plays(pool, model, role); });
    };
    const auto producers = count(KvRole::producer), consumers = count(KvRole::consumer);
    if ((producers > 0) != (consumers > 0)) {
      const char* there = producers > 0 ? "prefill" : "decode";
      const char* missing = producers > 0 ? "decode" : "prefill";
      diagnostics_.error(place, fmt::format("model \"{}\" of this traffic has a pool of role \"{}\" and none of role \"{}\"", model, there, missing),
                         fmt::format("add a pool with role = \"{}\" and the same model, or leave role out", missing));
    }
    std::set<std::int64_t> sizes;
    for (const Pool& pool : scenario_.pools) {
      if (pool.model_name == model && pool.engine.kv_role != KvRole::both) sizes.insert(pool.engine.block_size);
    }
    if (sizes.size() > 1) {
      diagnostics_.error(
          place,
          fmt::format("the prefill and decode pools of model \"{}\" have block sizes of {} and {} tokens", model, *sizes.begin(), *sizes.rbegin()),
          "give their engines one block_size: KV goes over in whole blocks");
    }
  }
}

/// Gives the clusters of prefill and decode pools the fabric that KV goes over.
void Resolver::kv_transfers() {
  if (diagnostics_.failed()) return;
  const Placement placement = place(scenario_);
  if (!placement.fits) return;
  std::set<std::size_t> leaves_node, stays_in_node;
  for (std::size_t p = 0; p < scenario_.pools.size(); ++p) {
    const Pool& producer = scenario_.pools[p];
    if (producer.engine.kv_role != KvRole::producer) continue;
    for (std::size_t c = 0; c < scenario_.pools.size(); ++c) {
      const Pool& consumer = scenario_.pools[c];
      if (!plays(consumer, producer.model_name, KvRole::consumer)) continue;
      std::set<int> from(placement.node_of_replica[p].begin(), placement.node_of_replica[p].end());
      std::set<int> to(placement.node_of_replica[c].begin(), placement.node_of_replica[c].end());
      const bool one_cluster = producer.cluster == consumer.cluster;
      const bool meet = one_cluster && std::any_of(from.begin(), from.end(), [&](int node) { return to.contains(node); });
      if (meet) stays_in_node.insert(producer.cluster);
      if (!one_cluster || from.size() > 1 || to.size() > 1 || !meet) leaves_node.insert({producer.cluster, consumer.cluster});
    }
  }
  for (const std::size_t c : stays_in_node) {
    collecting([&] { hardware::in_node_form(scenario_.clusters[c].gpu, hardware::Collective::send, 2); });
  }
  for (const std::size_t c : leaves_node) {
    Cluster& cluster = scenario_.clusters[c];
    if (cluster.node.fabric.empty()) {
      diagnostics_.error(
          {}, fmt::format("KV of prompts goes from or to other nodes, and nothing joins nodes of kind \"{}\"", cluster.node.name),
          fmt::format("give [cluster.{}] a fabric, for example \"ib-ndr-8x400g\", or put prefill and decode pools in one node", cluster.name));
      continue;
    }
    collecting([&] {
      const std::string path = hardware::find_profile(hardware::fabric_folder(share_), "fabric", cluster.node.fabric, {});
      cluster.kv_fabric = hardware::load_fabric(path, diagnostics_);
      scenario_.inputs.push_back(path);
      if (diagnostics_.failed()) return;
      cluster.fabric = cluster.kv_fabric;
      cluster.node.network = hardware::network_watts_a_node(*cluster.kv_fabric, cluster.nodes);
    });
  }
}

}  // namespace joulecast::scenario
