#pragma once

#include <memory>

#include "serving/routing.hpp"

namespace joulecast::policy {

/// The replica with the fewest requests that have arrived there and are not complete (waiting + running); among equals the one with the lowest index.
/// With load reports every request between two reports goes to the same replica, which is what such a router does.
std::unique_ptr<serving::ReplicaRouter> make_least_outstanding();

}  // namespace joulecast::policy
