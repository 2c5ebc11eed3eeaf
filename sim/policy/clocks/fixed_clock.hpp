#pragma once

#include <optional>
#include <vector>

#include "training/clock_planner.hpp"

namespace joulecast::policy {

/// Every operation at its highest clock: the baseline of all others.
class MaxClock final : public training::ClockPlanner {
 public:
  training::PlanResult plan(const training::Iteration& iteration, FixedTime deadline) const override;
};

/// One clock for every operation: the given one, or else the one of least energy within the deadline (the highest, where none keeps it).
class StaticClock final : public training::ClockPlanner {
 public:
  explicit StaticClock(std::optional<Hertz> clock = {}) : clock_(clock) {}
  /// Throws UserError where `clock` is none of the iteration's `common_clocks`.
  training::PlanResult plan(const training::Iteration& iteration, FixedTime deadline) const override;

 private:
  std::optional<Hertz> clock_;
};

/// The clocks that every kind with more than one point has, falling.
std::vector<Hertz> common_clocks(const training::Iteration& iteration);

}  // namespace joulecast::policy
