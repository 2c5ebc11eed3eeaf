#pragma once

#include "validation/registry.hpp"

namespace joulecast::validation {

/// Bytes that a ring all-reduce over 8 moves on each link, over the vector's: 2(n-1)/n, from the seconds of single-GPU nodes on a fabric without
/// latency.
Comparison all_reduce_ring_factor();

}  // namespace joulecast::validation
