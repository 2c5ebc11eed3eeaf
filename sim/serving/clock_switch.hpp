#pragma once

#include <deque>

#include "base/fixed.hpp"
#include "serving/step_cost.hpp"

namespace joulecast::serving {

/// Which of the two phases' clocks a replica's GPUs run at. A step that wants another clock than the last one asked for asks for it when it starts;
/// the change acts from the first step that starts at or after that instant + latency. A replica begins at the decode clock.
class ClockSwitch {
 public:
  explicit ClockSwitch(Span latency) : latency_(to_fixed(Time{latency.ns})) {}

  /// The clock of a step that starts at `start`; calls come in order of time.
  Phase at_start(Phase wanted, FixedTime start) {
    if (wanted != asked_) {
      asked_ = wanted;
      pending_.push_back({start + latency_, wanted});
    }
    while (!pending_.empty() && pending_.front().acts <= start) {
      in_force_ = pending_.front().clock;
      pending_.pop_front();
    }
    return in_force_;
  }

  /// Whether a change is under way; it acts from the first step that starts at or after `next_act()`.
  bool pending() const { return !pending_.empty(); }
  FixedTime next_act() const { return pending_.front().acts; }

 private:
  struct Change {
    FixedTime acts;
    Phase clock;
  };
  FixedTime latency_;
  Phase in_force_ = Phase::decode;
  Phase asked_ = Phase::decode;
  std::deque<Change> pending_;
};

}  // namespace joulecast::serving
