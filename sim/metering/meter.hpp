#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/fixed.hpp"
#include "base/provenance.hpp"
#include "base/time.hpp"

namespace joulecast::metering {

/// What a GPU is doing; every device is in exactly one state at every instant.
enum class State : std::uint8_t { bare_idle, context_idle, spin_wait, active };
inline constexpr int kStates = 4;
std::string_view name(State state);

/// Kinds of work whose joules and seconds are kept apart; ids are given at registration (see Ledger::register_class).
using ClassId = std::uint8_t;
inline constexpr int kMaxClasses = 16;

/// The meter of one device: the GPUs of a replica, or a node's unused GPUs, which always do the same. Holds exact sums, and energy by state in
/// bins of equal width: a bin's nanojoules are the difference of the state's running sum rounded down at its two ends, so that bins,
/// states and devices add up exactly and do not depend on how often the meter was told.
class Meter {
 public:
  /// `bin` > 0.
  Meter(std::string device, int gpus, Span bin);

  /// One interval of constant power. Intervals follow one another without a gap from time 0: `from` is where the last one ended, `to` is
  /// not before it, and an interval without length takes no energy (a Bug otherwise).
  void add(State state, FixedTime from, FixedTime to, FixedEnergy energy) {
    Account& account = accounts_[static_cast<std::size_t>(state)];
    if (from == covered_ && from < to && to <= account.open_end) [[likely]] {
      record(account, to, to - from, energy);
    } else {
      add_across(account, from, 1, {to - from, {}}, {energy, {}});
    }
  }
  /// `steps` back-to-back steps from `from`: step j lasts duration.at(j) > 0 and takes energy.at(j), evenly over the step. The same bits
  /// as `steps` calls of `add`.
  void add_steps(State state, FixedTime from, std::int64_t steps, const Progression<SecondsTag>& duration, const Progression<JoulesTag>& energy) {
    if (steps == 1) {
      add(state, from, from + duration.first, energy.first);
    } else {
      add_across(accounts_[static_cast<std::size_t>(state)], from, steps, duration, energy);
    }
  }
  /// Seconds and joules of a class; the active state's joules must equal the sum over classes (audited).
  void add_class(ClassId id, FixedTime seconds, FixedEnergy energy) {
    class_seconds_[id] += seconds;
    class_joules_[id] += energy;
  }

  const std::string& device() const { return device_; }
  int gpus() const { return gpus_; }
  FixedEnergy joules(State state) const { return account(state).joules; }
  FixedTime seconds(State state) const { return account(state).seconds; }
  FixedEnergy class_joules(ClassId id) const { return class_joules_[id]; }
  FixedTime class_seconds(ClassId id) const { return class_seconds_[id]; }
  /// Where the last interval ended: everything before it is in exactly one state.
  FixedTime covered() const { return covered_; }
  /// Nanojoules a bin of a state, from time 0, the running bin included; shorter than the run where the rest is 0.
  const std::vector<std::int64_t>& bins(State state) const { return account(state).bins; }

 private:
  /// The sums of one state. The last of `bins` is open: it ends at `open_end`, and the state's nanojoules stood at `floor_at_start` when it
  /// began.
  struct Account {
    FixedEnergy joules;
    FixedTime seconds;
    FixedTime open_end{-1};
    std::int64_t floor_at_start = 0;
    std::vector<std::int64_t> bins;
  };

  const Account& account(State state) const { return accounts_[static_cast<std::size_t>(state)]; }
  void record(Account& account, FixedTime to, FixedTime seconds, FixedEnergy energy) {
    account.joules += energy;
    account.seconds += seconds;
    account.bins.back() = account.joules.floor_nano() - account.floor_at_start;
    covered_ = to;
  }
  void add_across(Account& account, FixedTime from, std::int64_t steps, const Progression<SecondsTag>& duration,
                  const Progression<JoulesTag>& energy);

  FixedTime covered_;
  std::array<Account, kStates> accounts_;
  std::array<FixedEnergy, kMaxClasses> class_joules_{};
  std::array<FixedTime, kMaxClasses> class_seconds_{};
  std::string device_;
  int gpus_;
  FixedTime bin_;
};

}  // namespace joulecast::metering
