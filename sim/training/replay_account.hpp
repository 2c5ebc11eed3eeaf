#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "training/iteration.hpp"
#include "training/replay.hpp"

namespace joulecast::training {

/// What a stage's time and joules go to. `communication` is what is exposed: the collectives inside passes, the gradient synchronisation, and the
/// waits for a message that is under way; `bubble` is the rest of the waits until the pipeline's own end, `straggler_wait` those for a slower peer.
enum class Spent : std::uint8_t { forward, backward, recompute, optimizer, communication, bubble, straggler_wait };
inline constexpr int kSpent = 7;
std::string_view name(Spent spent);

struct SpentAccount {
  std::array<FixedTime, kSpent> time{};
  std::array<FixedEnergy, kSpent> energy{};

  FixedTime total_time() const;
  FixedEnergy total_energy() const;
  SpentAccount& operator+=(const SpentAccount& other);
  /// `multiplicity` identical ones together.
  friend SpentAccount operator*(std::int64_t multiplicity, const SpentAccount& one);
};

/// Adds an operation's time and energy to what it is spent on.
void add_operation(SpentAccount& account, Pass pass, const OperatingPoint& point);

/// By stage. Each stage's times add up exactly to the replay's end (makespan, or `until` where that is later), all energies to its total.
std::vector<SpentAccount> account(const Iteration& iteration, const Plan& plan, const Replay& replay, std::optional<FixedTime> until = {});

}  // namespace joulecast::training
