#include "policy/clocks/slack_program.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace joulecast::policy {

SlackProgram::SlackProgram(const OperationTimes& times, const EffectiveCosts& costs, Waiting waiting)
    : times_(times), costs_(costs), simplex_(build(waiting)) {}

LinearProgram SlackProgram::build(Waiting waiting) {
  LinearProgram program;
  add_columns(program, waiting);
  add_rows(program);
  return program;
}

void SlackProgram::add_columns(LinearProgram& program, Waiting waiting) {
  const std::vector<FixedTime> shortest = durations(times_.iteration(), fastest_plan(times_.iteration()));
  std::vector<FixedTime> ends;
  shortest_ = times_.earliest_ends(shortest, ends);
  // No start is worth putting off by more than all operations together can be slowed down.
  double room = 0;
  for (std::size_t i = 0; i < times_.operations(); ++i) room += costs_.of(i).hull.back().seconds;
  for (std::size_t i = 0; i < times_.operations(); ++i) {
    earliest_.push_back((ends[i] - shortest[i]).units());
    program.cost.push_back(0);
    program.most.push_back(room);
  }
  for (std::size_t i = 0; i < times_.operations(); ++i) {
    const std::vector<EffectivePoint>& hull = costs_.of(i).hull;
    segments_.push_back({static_cast<std::int32_t>(program.cost.size()), static_cast<std::int32_t>(hull.size()) - 1});
    fixed_joules_ += hull.front().joules;
    for (std::size_t k = 1; k < hull.size(); ++k) {
      const double seconds = hull[k].seconds - hull[k - 1].seconds;
      program.cost.push_back((hull[k].joules - hull[k - 1].joules) / seconds);
      program.most.push_back(seconds);
    }
  }
  const double second = waiting == Waiting::ends_with_the_iteration ? blocking_power(times_.iteration()).si() : 0;
  fixed_joules_ += second * shortest_.units();
  makespan_column_ = static_cast<std::int32_t>(program.cost.size());
  program.cost.push_back(second);
  program.most.push_back(0);
}

void SlackProgram::add_duration(LinearProgram& program, std::int32_t row, std::size_t operation) {
  row_operation_.push_back(static_cast<std::int32_t>(operation));
  program.entries.push_back({row, static_cast<std::int32_t>(operation), -1});
  for (std::int32_t k = 0; k < segments_[operation].count; ++k) program.entries.push_back({row, segments_[operation].first + k, -1});
}

void SlackProgram::add_rows(LinearProgram& program) {
  for (std::size_t i = 0; i < times_.operations(); ++i) {
    const double end = earliest_[i] + costs_.of(i).hull.front().seconds;
    for (const OperationTimes::Neighbour& next : times_.after(i)) {
      const auto row = static_cast<std::int32_t>(program.least.size());
      program.least.push_back(end + next.delay.units() - earliest_[static_cast<std::size_t>(next.operation)]);
      program.entries.push_back({row, next.operation, 1});
      add_duration(program, row, i);
    }
    if (!times_.after(i).empty()) continue;
    const auto row = static_cast<std::int32_t>(program.least.size());
    program.least.push_back(end - shortest_.units());
    program.entries.push_back({row, makespan_column_, 1});
    add_duration(program, row, i);
  }
}

std::optional<SlackProgram::Relaxed> SlackProgram::solve(FixedTime deadline) {
  if (deadline.units() < shortest_.units() * (1 - 1e-12)) return std::nullopt;
  simplex_.set_most(makespan_column_, std::max(0.0, (deadline - shortest_).units()));
  const LinearSolution solution = simplex_.solve();
  JOULECAST_CHECK(solution.feasible, "the shortest points do not keep to a deadline that they meet");
  Relaxed relaxed;
  relaxed.bound_joules = fixed_joules_ + solution.bound;
  relaxed.price.assign(times_.operations(), 0);
  for (std::size_t row = 0; row < row_operation_.size(); ++row) relaxed.price[static_cast<std::size_t>(row_operation_[row])] += solution.prices[row];
  relaxed.makespan = shortest_.units() + solution.values[static_cast<std::size_t>(makespan_column_)];
  for (std::size_t i = 0; i < times_.operations(); ++i) {
    relaxed.start.push_back(earliest_[i] + solution.values[i]);
    double duration = costs_.of(i).hull.front().seconds;
    for (std::int32_t k = 0; k < segments_[i].count; ++k) duration += solution.values[static_cast<std::size_t>(segments_[i].first + k)];
    relaxed.duration.push_back(duration);
  }
  return relaxed;
}

}  // namespace joulecast::policy
