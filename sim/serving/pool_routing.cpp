#include "serving/pool_routing.hpp"

namespace joulecast::serving {

PoolView PoolViews::at(std::size_t position, Time now) const {
  PoolView pool;
  pool.replicas = static_cast<std::int32_t>(first_[position + 1] - first_[position]);
  for (std::size_t i = first_[position]; i < first_[position + 1]; ++i) {
    const ReplicaView replica = replicas_.at(i, now);
    pool.waiting += replica.waiting;
    pool.running += replica.running;
    pool.kv_usage += replica.kv_usage;
    pool.tokens_queued += replica.tokens_queued;
  }
  pool.kv_usage /= pool.replicas;
  return pool;
}

}  // namespace joulecast::serving
