#include "policy/routing/least_outstanding.hpp"

namespace joulecast::policy {
namespace {

class LeastOutstanding final : public serving::ReplicaRouter {
 public:
  std::size_t choose(const serving::RoutedRequest&, const engine::Views<serving::ReplicaView>& replicas, Time now, Stream&) override {
    std::size_t best = 0;
    std::int32_t fewest = replicas.at(0, now).outstanding();
    for (std::size_t i = 1; i < replicas.size() && fewest > 0; ++i) {
      const std::int32_t outstanding = replicas.at(i, now).outstanding();
      if (outstanding < fewest) {
        fewest = outstanding;
        best = i;
      }
    }
    return best;
  }
};

}  // namespace

std::unique_ptr<serving::ReplicaRouter> make_least_outstanding() { return std::make_unique<LeastOutstanding>(); }

}  // namespace joulecast::policy
