#pragma once

#include <vector>

#include "scenario/result.hpp"
#include "scenario/scenario.hpp"
#include "serving/latency_histogram.hpp"
#include "serving/requests.hpp"

namespace joulecast::scenario {

/// Mean and percentiles of samples (linear between order statistics); reorders them.
Distribution distribution(std::vector<double>& samples);

/// Counts and latencies of a traffic. Latencies are of requests that arrived at or after `warmup` and completed; counts are of all.
TrafficResult traffic_result(const Traffic& traffic, const serving::RequestTable& requests, const serving::LatencyHistogram& itl, Time warmup,
                             Time end);

}  // namespace joulecast::scenario
