#include "policy/routing/least_outstanding_pool.hpp"

#include <numeric>
#include <vector>

namespace joulecast::policy {
namespace {

class LeastOutstandingPool final : public serving::PoolRouter {
 public:
  std::size_t choose(const serving::RoutedRequest&, const engine::Views<serving::PoolView>& pools, Time now, Stream&) override {
    if (all_.size() != pools.size()) {
      all_.resize(pools.size());
      std::iota(all_.begin(), all_.end(), std::size_t{0});
    }
    return least_loaded(all_, pools, now);
  }

 private:
  std::vector<std::size_t> all_;
};

}  // namespace

std::size_t least_loaded(std::span<const std::size_t> positions, const engine::Views<serving::PoolView>& pools, Time now) {
  std::size_t best = positions.front();
  if (positions.size() == 1) return best;
  serving::PoolView least = pools.at(best, now);
  for (const std::size_t position : positions.subspan(1)) {
    const serving::PoolView pool = pools.at(position, now);
    // pool.outstanding / pool.replicas < least.outstanding / least.replicas, in whole numbers.
    if (pool.outstanding() * least.replicas >= least.outstanding() * pool.replicas) continue;
    least = pool;
    best = position;
  }
  return best;
}

std::unique_ptr<serving::PoolRouter> make_least_outstanding_pool() { return std::make_unique<LeastOutstandingPool>(); }

}  // namespace joulecast::policy
