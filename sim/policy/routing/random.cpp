#include "policy/routing/random.hpp"

namespace joulecast::policy {
namespace {

template <class Router, class View>
class Random final : public Router {
 public:
  std::size_t choose(const serving::RoutedRequest&, const engine::Views<View>& views, Time, Stream& random) override {
    return random.below(views.size());
  }
};

}  // namespace

std::unique_ptr<serving::ReplicaRouter> make_random() { return std::make_unique<Random<serving::ReplicaRouter, serving::ReplicaView>>(); }
std::unique_ptr<serving::PoolRouter> make_random_pool() { return std::make_unique<Random<serving::PoolRouter, serving::PoolView>>(); }

}  // namespace joulecast::policy
