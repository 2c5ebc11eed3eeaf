#pragma once

#include <cstdint>

#include "base/fixed.hpp"

namespace joulecast::serving {

/// How unevenly n decoding sequences share their summed context. Neither figure changes while all of them grow by a token a step.
struct Unevenness {
  std::int64_t reach = 0;  ///< n * longest - sum
  int128 scatter = 0;      ///< n * (sum of squares) - sum * sum: n * n times the variance

  bool operator==(const Unevenness&) const = default;
};

/// What decoding sequences read in a step: the sum of their contexts in tokens, and how it is shared.
struct Contexts {
  std::int64_t sum = 0;
  Unevenness uneven;

  Contexts() = default;
  /// Equal contexts.
  Contexts(std::int64_t equal_sum) : sum(equal_sum) {}  // NOLINT(google-explicit-constructor): a sum alone is what most callers know
  Contexts(std::int64_t whole, const Unevenness& shared) : sum(whole), uneven(shared) {}
};

}  // namespace joulecast::serving
