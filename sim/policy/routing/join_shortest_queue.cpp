#include "policy/routing/join_shortest_queue.hpp"

#include <utility>

namespace joulecast::policy {
namespace {

class JoinShortestQueue final : public serving::ReplicaRouter {
 public:
  std::size_t choose(const serving::RoutedRequest&, const engine::Views<serving::ReplicaView>& replicas, Time now, Stream&) override {
    const auto load = [&](std::size_t position) {
      const serving::ReplicaView view = replicas.at(position, now);
      return std::pair(view.tokens_queued, view.outstanding());
    };
    std::size_t best = 0;
    auto least = load(0);
    for (std::size_t i = 1; i < replicas.size(); ++i) {
      if (const auto queued = load(i); queued < least) {
        least = queued;
        best = i;
      }
    }
    return best;
  }
};

}  // namespace

std::unique_ptr<serving::ReplicaRouter> make_join_shortest_queue() { return std::make_unique<JoinShortestQueue>(); }

}  // namespace joulecast::policy
