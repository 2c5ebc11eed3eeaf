#include "policy/routing/power_of_two.hpp"

#include <algorithm>

namespace joulecast::policy {
namespace {

class PowerOfTwo final : public serving::ReplicaRouter {
 public:
  std::size_t choose(const serving::RoutedRequest&, const engine::Views<serving::ReplicaView>& replicas, Time now, Stream& random) override {
    if (replicas.size() == 1) return 0;
    const std::size_t one = random.below(replicas.size());
    std::size_t other = random.below(replicas.size() - 1);
    if (other >= one) ++other;
    const auto [lower, higher] = std::minmax(one, other);
    return replicas.at(higher, now).outstanding() < replicas.at(lower, now).outstanding() ? higher : lower;
  }
};

}  // namespace

std::unique_ptr<serving::ReplicaRouter> make_power_of_two() { return std::make_unique<PowerOfTwo>(); }

}  // namespace joulecast::policy
