#pragma once

#include "config/diagnostics.hpp"
#include "serving/pool_routing.hpp"

namespace joulecast::policy {

/// What is wrong with the energy beliefs of a traffic's pools, reported at `place`: asked outside the lengths that they hold for, negative inside the
/// traffic's lengths (refused, or noted where `clamp`), not above 0 for its mean lengths. Every pool has one.
void check_beliefs(bool clamp, const serving::PoolChoice& choice, const Place& place, config::Diagnostics& diagnostics);

}  // namespace joulecast::policy
