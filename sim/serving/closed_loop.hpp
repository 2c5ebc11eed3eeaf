#pragma once

#include <algorithm>
#include <cstdint>

#include "base/time.hpp"

namespace joulecast::serving {

/// A traffic of which `max_concurrency` requests are in flight as long as its stream gives any (vLLM's serving benchmark with --max-concurrency
/// and an infinite request rate). They all come at t = 0, in the order of the stream: the initial ramp is a burst. From then on one comes
/// `think_time`, and at least 1 ns, after one has completed. The think time runs from a completion to the next arrival: the time from arrival to
/// arrival holds the request's own latency too, and taking that for a think time would count the latency twice.
struct ClosedLoop {
  std::int64_t max_concurrency = 1;
  Span think_time{0};
  Time end = kForever;  ///< nothing arrives from then on

  /// From a completion to the next arrival.
  Span delay() const { return std::max(think_time, Span{1}); }
};

}  // namespace joulecast::serving
