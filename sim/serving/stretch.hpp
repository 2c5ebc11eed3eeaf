#pragma once

#include <cstdint>

#include "base/fixed.hpp"
#include "serving/attribution.hpp"
#include "serving/step_cost.hpp"

namespace joulecast::serving {

/// Steps that follow one another from `start` with the same members, each a little longer than the one before as their context grows; or one step
/// with prompt chunks.
struct Stretch {
  FixedTime start;
  std::int64_t steps = 0;
  Progression<SecondsTag> seconds;
  Progression<JoulesTag> joules;
  const DecodeSegment* segment = nullptr;  ///< of decode steps
  StepCost mixed;                          ///< of a step with prompt chunks
  StepShares shares;

  /// When step `count`, counted from 1, has ended; `start` for 0.
  FixedTime end_of(std::int64_t count) const { return start + seconds.sum(count); }
  FixedTime end() const { return end_of(steps); }

  /// The first step, counted from 1, that ends at or after `instant`; `most` if none before that one does.
  std::int64_t first_ending_from(FixedTime instant, std::int64_t most) const {
    if (most <= 1 || end_of(most - 1) < instant) return most;
    std::int64_t before = 0;  // ends before `instant`
    std::int64_t at = most - 1;
    while (at - before > 1) {
      const std::int64_t middle = before + (at - before) / 2;
      (end_of(middle) < instant ? before : at) = middle;
    }
    return at;
  }
};

}  // namespace joulecast::serving
