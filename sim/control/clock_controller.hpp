#pragma once

#include <optional>
#include <string>

#include "base/time.hpp"
#include "control/clock_belief.hpp"
#include "control/operating.hpp"
#include "control/replica_state.hpp"

namespace joulecast::control {

/// The limits that a pool's traffics state, the tightest of each.
struct LatencyLimits {
  std::optional<double> ttft_s, tpot_s;
};

/// What a clock controller may know of a pool before the run.
struct ClockFacts {
  std::string pool;
  ClockSetting given;  ///< what runs where nobody controls: the profile's reference clock
  ClockBelief belief;  ///< the pool as profiled alone
  LatencyLimits limits;
  std::int64_t max_num_seqs = 0;
  double mean_output = 0;  ///< tokens a request, as predicted; 0 where nothing is
};

/// Chooses the clocks of a pool's replicas: `[pool.NAME] sm_clock`. It sees beliefs and states, never what the simulator's steps cost.
class ClockController {
 public:
  virtual ~ClockController() = default;
  /// What every replica begins with.
  virtual ClockSetting first() const = 0;
  /// How often `decide` is asked; absent: never.
  virtual std::optional<Span> period() const { return std::nullopt; }
  /// The clocks of one replica from this control point on; `before` is its state one period ago.
  virtual ClockSetting decide(const ReplicaState& now, const ReplicaState& before) const {
    static_cast<void>(now);
    static_cast<void>(before);
    return first();
  }
};

}  // namespace joulecast::control
