#pragma once

#include "scenario/scenario.hpp"
#include "serving/pool_routing.hpp"

namespace joulecast::scenario {

/// What a policy may know of a traffic's pools before the run, in the order of `traffic.pools`.
serving::PoolChoice pool_choice(const Scenario& scenario, const Traffic& traffic);

}  // namespace joulecast::scenario
