#include "policy/clocks/operation_times.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace joulecast::policy {
namespace {

/// Sorts `edges` into rows by `key`, keeping their order within a row.
template <class Key, class Value>
void into_rows(const std::vector<training::Dependency>& edges, std::size_t rows, Key key, Value value, std::vector<OperationTimes::Neighbour>& all,
               std::vector<std::int32_t>& begins) {
  begins.assign(rows + 1, 0);
  for (const training::Dependency& edge : edges) ++begins[static_cast<std::size_t>(key(edge)) + 1];
  for (std::size_t i = 0; i < rows; ++i) begins[i + 1] += begins[i];
  std::vector<std::int32_t> at(begins.begin(), begins.end() - 1);
  all.resize(edges.size());
  for (const training::Dependency& edge : edges) {
    all[static_cast<std::size_t>(at[static_cast<std::size_t>(key(edge))]++)] = {value(edge), edge.delay};
  }
}

}  // namespace

OperationTimes::OperationTimes(const training::Iteration& iteration) : iteration_(iteration) {
  for (const training::Dependency& edge : iteration.dependencies) {
    JOULECAST_CHECK(edge.before >= 0 && edge.before < edge.after && static_cast<std::size_t>(edge.after) < iteration.operations.size(),
                    "a dependency that does not point forward");
  }
  const auto from = [](const training::Dependency& edge) { return edge.before; };
  const auto to = [](const training::Dependency& edge) { return edge.after; };
  into_rows(iteration.dependencies, operations(), to, from, before_, before_begin_);
  into_rows(iteration.dependencies, operations(), from, to, after_, after_begin_);
}

FixedTime OperationTimes::earliest_ends(std::span<const FixedTime> durations, std::vector<FixedTime>& ends) const {
  ends.resize(operations());
  FixedTime makespan;
  for (std::size_t i = 0; i < operations(); ++i) {
    FixedTime start;
    for (const Neighbour& neighbour : before(i)) start = std::max(start, ends[static_cast<std::size_t>(neighbour.operation)] + neighbour.delay);
    ends[i] = start + durations[i];
    makespan = std::max(makespan, ends[i]);
  }
  return makespan;
}

void OperationTimes::latest_ends(std::span<const FixedTime> durations, FixedTime deadline, std::vector<FixedTime>& ends) const {
  ends.resize(operations());
  for (std::size_t i = operations(); i-- > 0;) {
    FixedTime end = deadline;
    for (const Neighbour& neighbour : after(i)) {
      const auto j = static_cast<std::size_t>(neighbour.operation);
      end = std::min(end, ends[j] - durations[j] - neighbour.delay);
    }
    ends[i] = end;
  }
}

std::vector<FixedTime> durations(const training::Iteration& iteration, const training::Plan& plan) {
  std::vector<FixedTime> times(iteration.operations.size());
  for (std::size_t i = 0; i < times.size(); ++i) {
    const auto& points = iteration.costs[static_cast<std::size_t>(iteration.operations[i].kind)];
    times[i] = points[plan.empty() ? 0 : static_cast<std::size_t>(plan[i])].time;
  }
  return times;
}

training::Plan fastest_plan(const training::Iteration& iteration) {
  std::vector<std::int32_t> fastest;
  for (const auto& points : iteration.costs) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < points.size(); ++i) {
      const bool shorter = points[i].time < points[best].time;
      if (shorter || (points[i].time == points[best].time && points[i].energy < points[best].energy)) best = i;
    }
    fastest.push_back(static_cast<std::int32_t>(best));
  }
  training::Plan plan;
  for (const training::Operation& operation : iteration.operations) plan.push_back(fastest[static_cast<std::size_t>(operation.kind)]);
  return plan;
}

}  // namespace joulecast::policy
