#pragma once

#include <memory>

#include "serving/pool_routing.hpp"
#include "serving/routing.hpp"

namespace joulecast::policy {

/// The replicas in turn, the first one first, whatever their load. It reads no view, so it needs no load reports.
std::unique_ptr<serving::ReplicaRouter> make_round_robin();
/// The pools in turn, whatever their size and load.
std::unique_ptr<serving::PoolRouter> make_round_robin_pool();

}  // namespace joulecast::policy
