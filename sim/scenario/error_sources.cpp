#include "scenario/error_sources.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "hardware/fabric/network_power.hpp"
#include "scenario/error_source_list.hpp"
#include "serving/cost/pool_costs.hpp"

namespace joulecast::scenario {

namespace {

constexpr double kNormal80 = 1.2815515655446004;  // P(|Z| <= this) = 80 %

/// KV blocks that the drawn memory leaves. An engine that has started has room for its longest request, whatever was drawn.
void resize_kv(const Scenario& scenario, Pool& pool) {
  if (pool.blocks_given) return;
  const hardware::GpuProfile& gpu = scenario.clusters[pool.cluster].gpu;
  serving::DraftMemory draft;
  if (pool.draft) {
    draft.weight_bytes = pool.draft->weight_bytes_per_gpu(pool.tensor_parallel_size);
    draft.token_bytes = static_cast<double>(pool.draft->kv_bytes_per_token_per_gpu(pool.tensor_parallel_size));
  }
  serving::EngineConfig& engine = pool.engine;
  const std::int64_t least = (engine.max_model_len + engine.block_size - 1) / engine.block_size + 1;
  try {
    const std::int64_t blocks = serving::kv_blocks(gpu, pool.model, pool.tensor_parallel_size, engine, pool.gpu_memory_utilization, {}, draft);
    engine.num_gpu_blocks = std::max(blocks, least);
  } catch (const UserError&) {
    engine.num_gpu_blocks = least;
  }
}

}  // namespace

double drawn_factor(double relative_error, double normal) { return std::exp(normal * std::asinh(relative_error) / kNormal80); }

std::string shown_file(const std::string& file) {
  const std::size_t shipped = file.rfind("hardware_profiles/");
  return shipped == std::string::npos ? file : file.substr(shipped);
}

std::vector<ErrorSource> error_sources(const Scenario& scenario, const metering::EnergyAccount& energy) {
  JOULECAST_CHECK(energy.pools.size() >= scenario.pools.size(), "an account of another scenario");
  ErrorSourceList list;
  for (std::size_t p = 0; p < scenario.pools.size(); ++p) add_pool_sources(list, scenario, p, energy.pools[p]);
  for (std::size_t j = 0; j < scenario.jobs.size(); ++j) add_job_sources(list, scenario, j);
  for (std::size_t c = 0; c < scenario.clusters.size(); ++c) {
    add_gpu_sources(list, scenario, c, energy);
    add_node_sources(list, scenario, c);
  }
  return list.take();
}

Scenario perturbed(const Scenario& scenario, std::span<const ErrorSource> sources, std::span<const double> normals) {
  JOULECAST_CHECK(sources.size() == normals.size(), "a normal number a source");
  Scenario drawn = scenario;
  for (std::size_t s = 0; s < sources.size(); ++s) sources[s].move(drawn, normals[s]);
  for (std::size_t c = 0; c < drawn.clusters.size(); ++c) {
    Cluster& cluster = drawn.clusters[c];
    if (cluster.fabric) cluster.node.network = hardware::network_watts_a_node(*cluster.fabric, cluster.nodes);
  }
  for (Pool& pool : drawn.pools) {
    const auto& stated = scenario.clusters[pool.cluster].gpu.overhead;
    const auto& drawn_to = drawn.clusters[pool.cluster].gpu.overhead;
    const bool same = stated.engine.value == drawn_to.engine.value && stated.collectives.value == drawn_to.collectives.value;
    if (!same) resize_kv(drawn, pool);
  }
  return drawn;
}

}  // namespace joulecast::scenario
