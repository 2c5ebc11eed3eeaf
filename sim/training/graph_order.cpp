#include <fmt/format.h>

#include <algorithm>
#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <boost/graph/topological_sort.hpp>
#include <iterator>
#include <utility>

#include "training/graph.hpp"
#include "training/schedule_text.hpp"

namespace joulecast::training {

namespace {

using Graph = boost::compressed_sparse_row_graph<boost::directedS>;

void check(const Iteration& iteration, const Place& place) {
  const auto count = static_cast<std::int32_t>(iteration.operations.size());
  for (const Operation& operation : iteration.operations) {
    if (operation.stage < 0 || operation.stage >= iteration.stages) {
      throw UserError(place, fmt::format("{} is on none of {} stages", text(operation), iteration.stages),
                      "give every operation a stage of the pipeline");
    }
    const auto kind = static_cast<std::size_t>(operation.kind);
    if (operation.kind < 0 || kind >= iteration.costs.size() || iteration.costs[kind].empty()) {
      throw UserError(place, fmt::format("{} has no cost", text(operation)), "give every operation a kind with one operating point or more");
    }
  }
  for (const Dependency& dependency : iteration.dependencies) {
    const auto there = [count](std::int32_t operation) { return operation >= 0 && operation < count; };
    if (!there(dependency.before) || !there(dependency.after)) {
      throw UserError(place,
                      fmt::format("dangling dependency: from operation {} to {} where there are {}", dependency.before, dependency.after, count),
                      "name operations of this iteration");
    }
  }
}

/// The operations of one circle, each waiting for the next.
std::vector<std::int32_t> circle(const Iteration& iteration) {
  const std::size_t count = iteration.operations.size();
  std::vector<std::vector<std::int32_t>> before(count), after(count);
  std::vector<std::size_t> waits(count, 0);
  for (const Dependency& each : iteration.dependencies) {
    before[static_cast<std::size_t>(each.after)].push_back(each.before);
    after[static_cast<std::size_t>(each.before)].push_back(each.after);
    ++waits[static_cast<std::size_t>(each.after)];
  }
  std::vector<std::int32_t> ready;
  std::vector<bool> done(count, false);
  for (std::size_t i = 0; i < count; ++i) {
    if (waits[i] == 0) ready.push_back(static_cast<std::int32_t>(i));
  }
  while (!ready.empty()) {
    const auto next = static_cast<std::size_t>(ready.back());
    ready.pop_back();
    done[next] = true;
    for (const std::int32_t each : after[next]) {
      if (--waits[static_cast<std::size_t>(each)] == 0) ready.push_back(each);
    }
  }
  // Every operation left waits for another that is left: following them back comes round.
  std::vector<std::int32_t> path;
  std::vector<std::ptrdiff_t> place_in_path(count, -1);
  auto at = static_cast<std::int32_t>(std::find(done.begin(), done.end(), false) - done.begin());
  while (place_in_path[static_cast<std::size_t>(at)] < 0) {
    place_in_path[static_cast<std::size_t>(at)] = std::ssize(path);
    path.push_back(at);
    const auto& waited_for = before[static_cast<std::size_t>(at)];
    at = *std::find_if(waited_for.begin(), waited_for.end(), [&](std::int32_t each) { return !done[static_cast<std::size_t>(each)]; });
  }
  path.erase(path.begin(), path.begin() + place_in_path[static_cast<std::size_t>(at)]);
  return path;
}

[[noreturn]] void refuse_circle(const Iteration& iteration, const Place& place) {
  constexpr std::size_t kShown = 6;
  const auto path = circle(iteration);
  std::string words;
  for (std::size_t i = 0; i < std::min(path.size(), kShown); ++i) {
    words += text(iteration.operations[static_cast<std::size_t>(path[i])]) + " waits for ";
  }
  words += path.size() > kShown ? fmt::format("{} more, and the last for ", path.size() - kShown) : "";
  words += text(iteration.operations[static_cast<std::size_t>(path.front())]);
  throw UserError(place, "deadlock, a cyclic dependency: " + words, "change the order of the passes on one of these stages");
}

}  // namespace

std::string text(const Operation& operation) {
  if (operation.pass == Pass::gradient_sync) return fmt::format("the gradient synchronisation of stage {}", operation.stage);
  if (operation.pass == Pass::optimizer) return fmt::format("the optimizer of stage {}", operation.stage);
  return fmt::format("{} of stage {}", text(Step{operation.pass, operation.chunk, operation.microbatch}, operation.chunk > 0), operation.stage);
}

void order_topologically(Iteration& iteration, const Place& place) {
  check(iteration, place);
  std::vector<std::pair<std::int32_t, std::int32_t>> edges;
  edges.reserve(iteration.dependencies.size());
  for (const Dependency& each : iteration.dependencies) edges.emplace_back(each.before, each.after);
  const Graph graph(boost::edges_are_unsorted_multi_pass, edges.begin(), edges.end(), iteration.operations.size());
  std::vector<std::size_t> reversed;
  reversed.reserve(iteration.operations.size());
  try {
    boost::topological_sort(graph, std::back_inserter(reversed));
  } catch (const boost::not_a_dag&) {
    refuse_circle(iteration, place);
  }
  std::vector<std::int32_t> position(reversed.size());
  std::vector<Operation> operations;
  operations.reserve(reversed.size());
  for (auto each = reversed.rbegin(); each != reversed.rend(); ++each) {
    position[*each] = static_cast<std::int32_t>(operations.size());
    operations.push_back(iteration.operations[*each]);
  }
  iteration.operations = std::move(operations);
  for (Dependency& each : iteration.dependencies) {
    each.before = position[static_cast<std::size_t>(each.before)];
    each.after = position[static_cast<std::size_t>(each.after)];
  }
  std::sort(iteration.dependencies.begin(), iteration.dependencies.end(),
            [](const Dependency& a, const Dependency& b) { return a.after != b.after ? a.after < b.after : a.before < b.before; });
}

}  // namespace joulecast::training
