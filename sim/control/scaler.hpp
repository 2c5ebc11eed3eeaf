#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/quantity.hpp"
#include "base/time.hpp"
#include "control/replica_state.hpp"

namespace joulecast::control {

/// What a scaler may know of a pool before the run.
struct ScalingFacts {
  std::string pool;
  std::int64_t replicas = 0, max_num_seqs = 0;
  Watts loaded{}, unloaded{};  ///< of one GPU that does no work, with and without a model
};

/// How a replica's model goes and comes back.
struct LoadTimes {
  Span load{0};      ///< from the command until it serves
  Watts loading{};   ///< of one GPU meanwhile
  Watts unloaded{};  ///< of one GPU without a model
};

/// Which replicas of a pool have their model loaded: `[pool.NAME] scaling`.
class Scaler {
 public:
  virtual ~Scaler() = default;
  virtual Span period() const = 0;
  virtual LoadTimes load_times() const = 0;
  /// `loaded` holds, a replica, whether it is ready or loads, and is changed in place to what it should be. A replica that loads is not unloaded before
  /// it has loaded. All replicas are ready as a run begins.
  virtual void decide(std::span<const ReplicaState> replicas, Time now, std::vector<bool>& loaded) = 0;
};

}  // namespace joulecast::control
