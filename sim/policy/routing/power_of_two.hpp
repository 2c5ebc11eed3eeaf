#pragma once

#include <memory>

#include "serving/routing.hpp"

namespace joulecast::policy {

/// Two different replicas drawn uniformly, of which the one with fewer outstanding requests (waiting + running) is taken; the lower index if both
/// have the same number. It needs two views a request, and stale reports do not make it crowd onto one replica (Mitzenmacher, "The power of two
/// choices in randomized load balancing", IEEE TPDS 12(10), 2001).
std::unique_ptr<serving::ReplicaRouter> make_power_of_two();

}  // namespace joulecast::policy
