#pragma once

#include <deque>
#include <utility>

#include "base/fixed.hpp"

namespace joulecast::serving {

/// What a replica's GPUs are set to, and what they are about to be. A step that wants another setting than the last one asked for asks for it when it
/// starts, and a command asks for one when it comes; the change acts from the first step that starts at or after that instant + latency.
template <class Setting>
class ClockSwitch {
 public:
  ClockSwitch(Span latency, Setting first) : latency_(to_fixed(Time{latency.ns})), in_force_(first), asked_(first) {}

  /// The setting of a step that starts at `start`; calls come in order of time.
  const Setting& at_start(const Setting& wanted, FixedTime start) {
    ask(wanted, start);
    while (!pending_.empty() && pending_.front().acts <= start) {
      in_force_ = pending_.front().setting;
      pending_.pop_front();
    }
    return in_force_;
  }
  void ask(const Setting& wanted, FixedTime now) {
    if (wanted == asked_) return;
    asked_ = wanted;
    pending_.push_back({now + latency_, wanted});
  }

  /// The last setting that was asked for.
  const Setting& asked() const { return asked_; }
  /// Whether a change is under way; it acts from the first step that starts at or after `next_act()`.
  bool pending() const { return !pending_.empty(); }
  FixedTime next_act() const { return pending_.front().acts; }

 private:
  struct Change {
    FixedTime acts;
    Setting setting;
  };
  FixedTime latency_;
  Setting in_force_;
  Setting asked_;
  std::deque<Change> pending_;
};

}  // namespace joulecast::serving
