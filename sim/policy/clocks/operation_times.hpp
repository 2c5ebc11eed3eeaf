#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "training/iteration.hpp"

namespace joulecast::policy {

/// The dependencies of an iteration by operation, for passes over its graph in either direction. Refers to the iteration, which must stay.
class OperationTimes {
 public:
  struct Neighbour {
    std::int32_t operation;
    FixedTime delay;
  };

  explicit OperationTimes(const training::Iteration& iteration);

  const training::Iteration& iteration() const { return iteration_; }
  std::size_t operations() const { return iteration_.operations.size(); }
  std::span<const Neighbour> before(std::size_t operation) const { return row(before_, before_begin_, operation); }
  std::span<const Neighbour> after(std::size_t operation) const { return row(after_, after_begin_, operation); }

  /// When each operation ends if all start as soon as they can; returns the makespan.
  FixedTime earliest_ends(std::span<const FixedTime> durations, std::vector<FixedTime>& ends) const;
  /// When each operation must end at the latest for the makespan to keep to the deadline.
  void latest_ends(std::span<const FixedTime> durations, FixedTime deadline, std::vector<FixedTime>& ends) const;

 private:
  static std::span<const Neighbour> row(const std::vector<Neighbour>& all, const std::vector<std::int32_t>& begins, std::size_t operation) {
    const auto first = static_cast<std::size_t>(begins[operation]), last = static_cast<std::size_t>(begins[operation + 1]);
    return {all.data() + first, last - first};
  }

  const training::Iteration& iteration_;
  std::vector<Neighbour> before_, after_;
  std::vector<std::int32_t> before_begin_, after_begin_;
};

/// What each operation takes under a plan (empty: every operation at its first point).
std::vector<FixedTime> durations(const training::Iteration& iteration, const training::Plan& plan);
/// Every operation at its shortest point; the cheaper in energy among equals.
training::Plan fastest_plan(const training::Iteration& iteration);

}  // namespace joulecast::policy
