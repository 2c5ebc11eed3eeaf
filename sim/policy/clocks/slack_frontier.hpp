#pragma once

#include <optional>
#include <vector>

#include "policy/clocks/slack_program.hpp"
#include "training/clock_planner.hpp"

namespace joulecast::policy {

/// One plan of a frontier.
struct FrontierPoint {
  FixedTime deadline;
  training::Plan plan;
  FixedTime makespan;             ///< replayed, at most the deadline
  double joules = 0;              ///< replayed, all stages blocking until the makespan
  double bound_joules = 0;        ///< no plan takes less where all stages block until the deadline
  SlackProgram::Relaxed relaxed;  ///< what the plan was rounded from
};

/// The time-energy frontier of an iteration: plans for deadlines from the shortest makespan to the one beyond which slowing down saves nothing (T* of
/// Perseus, SOSP 2024, section 4), denser towards the shortest, where the frontier is steep. One linear program a deadline, each from the basis of
/// the last. Stored, so that a straggler is a look-up.
class SlackFrontier {
 public:
  /// `points` at least 2. `shortest`: deadlines begin there, or at the fastest possible where that is later. `longest`: they
  /// end there in place of T*. Keeps a copy of the iteration.
  SlackFrontier(training::Iteration iteration, FixedTime shortest, int points, std::optional<FixedTime> longest = {});

  /// By rising deadline.
  const std::vector<FrontierPoint>& points() const { return points_; }
  /// The stored point of least energy within a deadline; null where none is.
  const FrontierPoint* within(FixedTime deadline) const;
  /// A plan for a straggler that ends at `until`, without solving anything: at T = min(until, T*), rounded from the mixture of the relaxed plans of
  /// the stored deadlines before and after T, which keeps to T and lies on the chord of the frontier between them. All shortest points where T is
  /// before the first.
  training::Plan for_straggler(FixedTime until) const;

 private:
  training::Iteration iteration_;
  std::vector<FrontierPoint> points_;
};

}  // namespace joulecast::policy
