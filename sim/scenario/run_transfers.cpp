#include <algorithm>
#include <array>

#include "base/error.hpp"
#include "hardware/fabric/in_node.hpp"
#include "policy/registry.hpp"
#include "scenario/costs.hpp"
#include "scenario/run.hpp"

namespace joulecast::scenario {

namespace {

using serving::KvRole;

/// What a replica's GPUs reach; nothing where its cluster has no links for KV.
serving::KvEndpoint endpoint(const Cluster& cluster, const Pool& pool, std::size_t node) {
  serving::KvEndpoint end;
  end.node = node;
  end.gpus = pool.tensor_parallel_size;
  end.block_bytes = kv_block_bytes(pool);
  if (!cluster.gpu.all_reduce.empty() || !cluster.gpu.collectives.empty()) {
    const hardware::InNodeForm send = hardware::in_node_form(cluster.gpu, hardware::Collective::send, 2);
    end.in_node_rate = end.gpus / send.inverse_beta;
    end.in_node_latency = send.alpha;
    end.in_node_root = send.root;
  }
  if (cluster.kv_fabric) {
    const auto& fabric = *cluster.kv_fabric;
    const auto nics = static_cast<std::int64_t>(fabric.nics.value);
    const std::int64_t used = std::max<std::int64_t>(1, (end.gpus * nics + cluster.node.gpus - 1) / cluster.node.gpus);
    end.network_rate = static_cast<double>(used) * fabric.nic_bandwidth.value.si() * fabric.nic_efficiency.value;
  }
  return end;
}

serving::KvNode kv_node(const Cluster& cluster, std::size_t index, std::int64_t number) {
  serving::KvNode node;
  node.cluster = index;
  if (!cluster.kv_fabric) return node;
  const auto& fabric = *cluster.kv_fabric;
  const hardware::FabricShape shape = hardware::shape(fabric, cluster.nodes);
  node.leaf = number / std::max<std::int64_t>(1, shape.nodes_per_leaf);
  node.network_rate = fabric.nics.value * fabric.nic_bandwidth.value.si() * fabric.nic_efficiency.value;
  node.message_latency = fabric.message_latency.value.si();
  node.hop_latency = fabric.hop_latency.value.si();
  node.hops_between_leaves = shape.hops(false);
  return node;
}

}  // namespace

serving::KvNetworkSetup Run::kv_network_setup() const {
  serving::KvNetworkSetup setup;
  std::vector<std::size_t> first_node;
  for (std::size_t c = 0; c < scenario_.clusters.size(); ++c) {
    first_node.push_back(setup.nodes.size());
    for (int n = 0; n < scenario_.clusters[c].nodes; ++n) setup.nodes.push_back(kv_node(scenario_.clusters[c], c, n));
  }
  for (std::size_t p = 0; p < pools_.size(); ++p) {
    const Pool& pool = scenario_.pools[p];
    for (const int node : placement_.node_of_replica[p]) {
      setup.endpoints.push_back(endpoint(scenario_.clusters[pool.cluster], pool, first_node[pool.cluster] + static_cast<std::size_t>(node)));
    }
  }
  for (const Brought& each : traffics_) setup.tables.push_back(each.table.get());
  return setup;
}

/// Routers to decode pools and the network, before their replicas are in the simulation.
void Run::add_decode_stages() {
  bool any = false;
  for (std::size_t t = 0; t < traffics_.size(); ++t) {
    const Traffic& traffic = scenario_.traffics[t];
    for (const std::string& model : traffic.models) {
      DecodeStage stage;
      const auto of_model = [&](const std::vector<std::size_t>& pools, KvRole role, std::vector<std::size_t>& to) {
        std::copy_if(pools.begin(), pools.end(), std::back_inserter(to),
                     [&](std::size_t p) { return scenario_.pools[p].model_name == model && scenario_.pools[p].engine.kv_role == role; });
      };
      of_model(traffic.pools, KvRole::producer, stage.producers);
      of_model(traffic.decode_pools, KvRole::consumer, stage.consumers);
      if (stage.producers.empty()) continue;
      any = true;
      stage.views = views_of(stage.consumers);
      config::Diagnostics diagnostics;
      std::vector<serving::ReplicaGroup> groups;
      groups.push_back(
          {stage.views->size(), policy::find_replica_policy(scenario_.decode_policy)->make(&scenario_.decode_policy_parameters, diagnostics)});
      const std::string name = "router/" + traffic.name + "/decode/" + model;
      stage.router = simulation_.add_new<serving::Router>(name, engine::Level::transfer, router_setup(name, std::move(groups), *stage.views));
      traffics_[t].decode.push_back(std::move(stage));
    }
  }
  if (any) kv_network_ = simulation_.add_new<serving::KvNetwork>("kv transfers", engine::Level::transfer, kv_network_setup());
}

void Run::connect_transfers() {
  if (kv_network_.second == nullptr) return;
  std::vector<engine::EntityId> consumers, producers, all;
  for (std::size_t p = 0; p < pools_.size(); ++p) {
    const KvRole role = scenario_.pools[p].engine.kv_role;
    all.insert(all.end(), pools_[p].ids.begin(), pools_[p].ids.end());
    if (role == KvRole::consumer) consumers.insert(consumers.end(), pools_[p].ids.begin(), pools_[p].ids.end());
    if (role == KvRole::producer) producers.insert(producers.end(), pools_[p].ids.begin(), pools_[p].ids.end());
    for (std::size_t r = 0; role == KvRole::consumer && r < pools_[p].ids.size(); ++r) {
      pools_[p].replicas[r]->fetch_from(simulation_.connect(pools_[p].ids[r], std::array{kv_network_.first}, Span{1}), kv_network_.first);
    }
  }
  const engine::Port to_consumers = simulation_.connect(kv_network_.first, consumers, Span{0});
  const engine::Port to_producers = simulation_.connect(kv_network_.first, producers, Span{1});
  kv_network_.second->connect(to_consumers, to_producers, std::move(all));
  for (std::size_t t = 0; t < traffics_.size(); ++t) {
    for (DecodeStage& stage : traffics_[t].decode) {
      connect_router(stage.router, *stage.views, stage.consumers, false);
      for (const std::size_t p : stage.producers) {
        for (std::size_t r = 0; r < pools_[p].ids.size(); ++r) {
          const engine::Port port = simulation_.connect(pools_[p].ids[r], std::array{stage.router.first}, Span{0});
          pools_[p].replicas[r]->hand_over_to(static_cast<std::uint32_t>(t), port, stage.router.first);
        }
      }
    }
  }
}

}  // namespace joulecast::scenario
