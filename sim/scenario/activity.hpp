#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/time.hpp"
#include "scenario/result.hpp"
#include "serving/requests.hpp"

namespace joulecast::scenario {

/// What requests did over [0, end), as means over `Activity::kIntervals` equal intervals, from the times of every request: tokens are spread evenly from the
/// first to the last of a request. `pool_of_replica`: a replica's pool, by its number over all pools; of `pools` pools.
Activity find_activity(std::span<const serving::RequestTable* const> traffics, std::span<const std::size_t> pool_of_replica, std::size_t pools,
                       Time end);

/// The shares at which latencies are kept: every hundredth and 0.995 and 0.999.
const std::vector<double>& latency_shares();
/// Samples at those shares (linear between order statistics); sorts them; empty where there is none.
std::vector<double> at_latency_shares(std::vector<double>& samples);

}  // namespace joulecast::scenario
