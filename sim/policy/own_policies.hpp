#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "policy/clock_registry.hpp"
#include "policy/control_registry.hpp"
#include "policy/registry.hpp"

namespace joulecast::policy {

/// Policies of a program that links the simulator as a library, a list a registry. A scenario names them as it names the shipped ones.
struct OwnPolicies {
  std::vector<ReplicaPolicy> replica;   ///< `[router] replica`
  std::vector<PoolPolicy> pool;         ///< `[router] pool`
  std::vector<ClockControl> clock;      ///< `[pool.NAME] sm_clock`
  std::vector<PowerControl> power;      ///< `[feed.NAME] policy`, `[site.NAME] power_policy`
  std::vector<ScalingControl> scaling;  ///< `[pool.NAME] scaling`
  std::vector<ClockPolicy> job_clock;   ///< `[training.NAME] sm_clock`
};

/// What the program adds. The library's own definition adds nothing and stands alone in its object file: a program that defines this function has its
/// definition linked in place of it, so the registries are fixed before `main` begins and there is nothing to register at run time.
OwnPolicies own_policies();

/// The shipped policies of a registry and a program's own, by rising name. Throws UserError where two have one name.
template <class Policy>
std::vector<Policy> with_own(std::vector<Policy> shipped, const std::vector<Policy>& own) {
  shipped.insert(shipped.end(), own.begin(), own.end());
  std::stable_sort(shipped.begin(), shipped.end(), [](const Policy& a, const Policy& b) { return a.name < b.name; });
  const auto same = std::adjacent_find(shipped.begin(), shipped.end(), [](const Policy& a, const Policy& b) { return a.name == b.name; });
  if (same != shipped.end()) {
    throw UserError({}, "two policies of this program are called \"" + same->name + "\"", "rename the one in own_policies()");
  }
  return shipped;
}

}  // namespace joulecast::policy
