#include "policy/routing/round_robin.hpp"

namespace joulecast::policy {
namespace {

class RoundRobin final : public serving::ReplicaRouter {
 public:
  std::size_t choose(const traces::Request&, const engine::Views<serving::ReplicaView>& replicas, Time, Stream&) override {
    if (next_ >= replicas.size()) next_ = 0;
    return next_++;
  }

 private:
  std::size_t next_ = 0;
};

}  // namespace

std::unique_ptr<serving::ReplicaRouter> make_round_robin() { return std::make_unique<RoundRobin>(); }

}  // namespace joulecast::policy
