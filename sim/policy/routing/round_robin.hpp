#pragma once

#include <memory>

#include "serving/routing.hpp"

namespace joulecast::policy {

/// The replicas in turn, the first one first, whatever their load. It reads no view, so it needs no load reports.
std::unique_ptr<serving::ReplicaRouter> make_round_robin();

}  // namespace joulecast::policy
