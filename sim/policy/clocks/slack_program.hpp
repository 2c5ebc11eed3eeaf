#pragma once

#include <optional>
#include <vector>

#include "policy/clocks/effective_cost.hpp"
#include "policy/clocks/linear_program.hpp"
#include "policy/clocks/operation_times.hpp"

namespace joulecast::policy {

/// What a second of makespan costs beside the operations' effective costs.
enum class Waiting : unsigned char {
  ends_with_the_iteration,  ///< all stages block until the makespan: it costs their blocking power
  ends_with_a_straggler,    ///< all stages block until a peer outside ends, whatever the plan: it costs nothing
};

/// The project crashing problem with convex costs (Kelley 1961, Fulkerson 1961): start times s and durations d of an iteration's operations and its
/// makespan T with `s_j >= s_i + d_i + delay`, `s_i + d_i <= T <= deadline`; least sum of c_i(d_i) + P_block*T, c_i the lower convex hull of the
/// effective cost over the profiled points. No plan with these points and a makespan within the deadline costs less than the optimum: its points lie
/// on or above the hulls.
class SlackProgram {
 public:
  struct Relaxed {
    std::vector<double> start;     ///< seconds, by operation
    std::vector<double> duration;  ///< seconds, by operation
    std::vector<double> price;     ///< joules that a second of an operation's duration costs elsewhere
    double makespan = 0;           ///< seconds, at most the deadline
    double bound_joules = 0;       ///< no plan within the deadline takes less; for a straggler: without the blocking of all stages until it ends
  };

  /// `times` and `costs` must stay.
  SlackProgram(const OperationTimes& times, const EffectiveCosts& costs, Waiting waiting);

  /// Nothing where the deadline is below `shortest` by more than 1e-12 of it (times that went through doubles). Each further deadline starts from the
  /// last one's basis.
  std::optional<Relaxed> solve(FixedTime deadline);
  /// The makespan with every operation at its shortest point: below it there is no plan.
  FixedTime shortest() const { return shortest_; }

 private:
  struct Segments {
    std::int32_t first = 0, count = 0;  ///< columns
  };

  LinearProgram build(Waiting waiting);
  void add_columns(LinearProgram& program, Waiting waiting);
  void add_rows(LinearProgram& program);
  void add_duration(LinearProgram& program, std::int32_t row, std::size_t operation);

  const OperationTimes& times_;
  const EffectiveCosts& costs_;
  FixedTime shortest_;
  std::vector<double> earliest_;             ///< start of each operation with all at their shortest points: its start is this + column i
  std::vector<Segments> segments_;           ///< by operation: what its duration exceeds the shortest by
  std::vector<std::int32_t> row_operation_;  ///< whose duration a row holds
  std::int32_t makespan_column_ = 0;         ///< what the makespan exceeds the shortest by
  double fixed_joules_ = 0;                  ///< with all at their shortest points
  DualSimplex simplex_;
};

}  // namespace joulecast::policy
