#pragma once

#include <memory>

#include "serving/routing.hpp"

namespace joulecast::policy {

/// The replica with the fewest prompt tokens still to be computed; among equals the one with the fewest outstanding requests, then the lowest index.
/// `least_outstanding` counts requests, of whatever length and those that decode as well; this one counts the prompt work that stands before a new
/// request gets its first token, so a replica that decodes a large batch with nothing waiting counts as empty.
std::unique_ptr<serving::ReplicaRouter> make_join_shortest_queue();

}  // namespace joulecast::policy
