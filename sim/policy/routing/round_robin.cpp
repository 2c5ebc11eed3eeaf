#include "policy/routing/round_robin.hpp"

namespace joulecast::policy {
namespace {

template <class Router, class View>
class RoundRobin final : public Router {
 public:
  std::size_t choose(const serving::RoutedRequest&, const engine::Views<View>& views, Time, Stream&) override {
    if (next_ >= views.size()) next_ = 0;
    return next_++;
  }

 private:
  std::size_t next_ = 0;
};

}  // namespace

std::unique_ptr<serving::ReplicaRouter> make_round_robin() { return std::make_unique<RoundRobin<serving::ReplicaRouter, serving::ReplicaView>>(); }
std::unique_ptr<serving::PoolRouter> make_round_robin_pool() { return std::make_unique<RoundRobin<serving::PoolRouter, serving::PoolView>>(); }

}  // namespace joulecast::policy
