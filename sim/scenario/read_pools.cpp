#include "scenario/costs.hpp"
#include "scenario/run.hpp"

namespace joulecast::scenario {

PoolResult Run::pool_result(std::size_t index, Time end) const {
  const Pool& pool = scenario_.pools[index];
  const Cluster& cluster = scenario_.clusters[pool.cluster];
  PoolResult result;
  result.name = pool.name;
  result.model = pool.model_name;
  result.gpu = cluster.gpu.name;
  result.node = cluster.node.name;
  result.replicas = pool.replicas;
  result.tensor_parallel_size = pool.tensor_parallel_size;
  result.gpus = pool.replicas * pool.gpus_per_replica();
  result.kv_blocks = static_cast<std::uint64_t>(pool.engine.folded().num_gpu_blocks);
  result.kv_block_tokens = static_cast<std::uint64_t>(pool.engine.block_size);
  result.clock = clock_text(scenario_, pool);
  std::int64_t sequences = 0, queries = 0, hits = 0, blocks = 0, verifications = 0, verified = 0;
  FixedTime busy;
  int128 block_time = 0;
  for (const serving::Replica* replica : pools_[index].replicas) {
    const serving::ReplicaStatistics& did = replica->statistics();
    result.steps += static_cast<std::uint64_t>(did.steps);
    result.preemptions += static_cast<std::uint64_t>(did.preemptions);
    result.output_tokens += static_cast<std::uint64_t>(did.output_tokens);
    sequences += did.sequence_steps;
    queries += did.prefix_queries;
    hits += did.prefix_hits;
    verifications += did.verifications;
    verified += did.verified_tokens;
    blocks += did.kv_blocks_received + did.kv_blocks_sent;
    busy += did.busy;
    block_time += did.block_time;
  }
  if (result.steps > 0) result.mean_batch = static_cast<double>(sequences) / static_cast<double>(result.steps);
  const double replica_time = static_cast<double>(to_fixed(end).raw) * pool.replicas;
  if (replica_time > 0) {
    result.busy = static_cast<double>(busy.raw) / replica_time;
    result.kv_usage = static_cast<double>(block_time) / (replica_time * static_cast<double>(pool.engine.folded().num_gpu_blocks - 1));
  }
  if (pool.engine.enable_prefix_caching && queries > 0) result.prefix_hit_rate = static_cast<double>(hits) / static_cast<double>(queries);
  if (pool.engine.kv_role != serving::KvRole::both) {
    result.role = pool.engine.kv_role == serving::KvRole::producer ? "prefill" : "decode";
    result.kv_transferred_bytes = static_cast<double>(blocks * kv_block_bytes(pool));
  }
  if (verifications > 0) result.tokens_per_verification = static_cast<double>(verified) / static_cast<double>(verifications);
  Provenance worst_watts = Provenance::measured;
  for (int w = 0; w < serving::kWorks; ++w) worst_watts = worst(worst_watts, pools_[index].points->watts_provenance(static_cast<serving::Work>(w)));
  result.watts_source = std::string(name(worst_watts));
  return result;
}

}  // namespace joulecast::scenario
