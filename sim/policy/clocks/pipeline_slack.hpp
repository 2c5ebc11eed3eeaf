#pragma once

#include "training/clock_planner.hpp"

namespace joulecast::policy {

/// From which makespan a deadline is counted. In some profiles the highest clock is not the fastest point: then the two differ.
enum class DeadlineFrom : unsigned char {
  highest_clocks,   ///< every operation at its first point (the highest clock)
  shortest_points,  ///< every operation at its shortest point: the fastest possible
};

/// `factor` times the makespan that it is counted from; `factor` at least 1.
FixedTime deadline_of(const training::Iteration& iteration, DeadlineFrom from, double factor);

struct SlackOptions {
  double max_slowdown_factor = 1;  ///< the deadline is this many times the makespan that it is counted from
  DeadlineFrom deadline_from = DeadlineFrom::highest_clocks;
};

/// Slows down what is off the critical path so that nobody waits (Chung et al.: "Reducing Energy Bloat in Large Model Training" (Perseus), SOSP 2024),
/// by the linear program of `SlackProgram` and `round_to_points` in place of the paper's minimum cuts; small graphs are searched through
/// (`search_plans`). `bound_joules` is the program's optimum. What rounding to profiled points loses of it, in percent of the energy at highest clocks,
/// on the profiles of GPT-3 175B with 12 to 96 microbatches: at the deadline of all highest clocks 0.11-0.16 (A100) and 0.34-0.60 (A40), at 1.05 times
/// that below 0.3, at 1.1 and 1.2 times below 0.07.
class PipelineSlack final : public training::ClockPlanner {
 public:
  explicit PipelineSlack(SlackOptions options = {}) : options_(options) {}
  /// `deadline` is the makespan at highest clocks, or another that the caller wants in its place; `max_slowdown_factor` times that is kept. With
  /// deadlines counted from the shortest points it is not looked at. Below the fastest possible: the plan of all shortest points, without a bound.
  training::PlanResult plan(const training::Iteration& iteration, FixedTime deadline) const override;
  /// Plans to end with the straggler, whatever the options.
  training::PlanResult plan_for_straggler(const training::Iteration& iteration, FixedTime until) const override;

 private:
  SlackOptions options_;
};

}  // namespace joulecast::policy
