#pragma once

#include <memory>
#include <span>

#include "serving/pool_routing.hpp"

namespace joulecast::policy {

/// The pool with the fewest outstanding requests (waiting + running) a replica; the lowest index among equals.
std::unique_ptr<serving::PoolRouter> make_least_outstanding_pool();

/// The least loaded, in that sense, of some positions of `pools`; at least one.
std::size_t least_loaded(std::span<const std::size_t> positions, const engine::Views<serving::PoolView>& pools, Time now);

}  // namespace joulecast::policy
