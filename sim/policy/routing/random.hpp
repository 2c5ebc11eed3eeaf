#pragma once

#include <memory>

#include "serving/pool_routing.hpp"
#include "serving/routing.hpp"

namespace joulecast::policy {

/// A replica drawn uniformly, whatever the load: Poisson arrivals stay Poisson at every replica. It reads no view.
std::unique_ptr<serving::ReplicaRouter> make_random();
/// A pool drawn uniformly, whatever its size.
std::unique_ptr<serving::PoolRouter> make_random_pool();

}  // namespace joulecast::policy
