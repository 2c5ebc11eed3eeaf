#pragma once

#include <optional>
#include <vector>

#include "base/time.hpp"
#include "engine/event.hpp"

namespace joulecast::engine {

/// One rolling hash: an entity at a grid point.
struct Fingerprint {
  Time time;
  EntityId entity = 0;
  std::uint64_t hash = 0;

  friend bool operator==(const Fingerprint&, const Fingerprint&) = default;
};

/// Where two runs part for the first time.
struct Difference {
  Time time;
  EntityId entity = 0;
};

/// The first fingerprint that is not the same in both (or is in one alone), none where all are equal.
std::optional<Difference> compare(const std::vector<Fingerprint>& a, const std::vector<Fingerprint>& b);

}  // namespace joulecast::engine
