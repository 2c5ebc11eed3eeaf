#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "policy/clocks/effective_cost.hpp"
#include "policy/clocks/operation_times.hpp"

namespace joulecast::policy {

/// A plan in the making: every operation at one of its best points, level 0 the shortest, a higher one slower and cheaper. Times are the iteration's
/// own fixed-point times, so "within the deadline" is exact.
class PointLevels {
 public:
  /// Changes in order: an operation and the level that it had before.
  using Journal = std::vector<std::pair<std::size_t, std::size_t>>;

  /// Every operation at level 0. `times` and `costs` must stay.
  PointLevels(const OperationTimes& times, const EffectiveCosts& costs, FixedTime deadline);

  std::size_t operations() const { return level_.size(); }
  std::size_t level(std::size_t i) const { return level_[i]; }
  std::size_t levels(std::size_t i) const { return all(i).size(); }
  FixedTime time(std::size_t i) const { return duration_[i]; }
  FixedTime time(std::size_t i, std::size_t level) const { return all(i)[level]; }
  double cost(std::size_t i, std::size_t level) const { return costs_.of(i).best[level].joules; }
  /// The slowest level that takes at most `longest`; 0 where none does.
  std::size_t slowest_within(std::size_t i, FixedTime longest) const;
  /// Those of the levels that lie on the hull, rising: what a relaxed plan mixes.
  const std::vector<std::size_t>& hull_levels(std::size_t i) const { return kind_hulls_[static_cast<std::size_t>(costs_.of_operation[i])]; }
  void set(std::size_t i, std::size_t level);
  /// Takes back the changes of a journal.
  void undo(const Journal& journal);

  FixedTime deadline() const { return deadline_; }
  const OperationTimes& times() const { return times_; }
  FixedTime makespan();
  /// Spends slack, one operation at a time, the largest saving first, until no operation can be slowed down within the deadline. What it changes is
  /// added to `journal`, if given.
  void use_slack(Journal* journal = nullptr);
  /// Makes a plan beyond the deadline keep to it: the operation on the longest path that becomes faster at the least cost a second, time after time.
  void keep_deadline(Journal* journal = nullptr);

  double joules() const;  ///< sum of the effective costs
  training::Plan plan() const;
  long passes() const { return passes_; }  ///< over the graph so far: one a change in `use_slack` and `keep_deadline`

 private:
  const std::vector<FixedTime>& all(std::size_t i) const { return kind_times_[static_cast<std::size_t>(costs_.of_operation[i])]; }
  void find_room();

  const OperationTimes& times_;
  const EffectiveCosts& costs_;
  FixedTime deadline_;
  std::vector<std::vector<FixedTime>> kind_times_;
  std::vector<std::vector<std::size_t>> kind_hulls_;
  std::vector<std::size_t> level_;
  std::vector<FixedTime> duration_, ends_, latest_;
  long passes_ = 0;
};

}  // namespace joulecast::policy
