#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace joulecast::policy {

/// What a request costs somewhere, compared from the first to the last: the weighed cost, joules, the position. Whole numbers, so sums are exact and
/// the optimum is the same on every machine.
struct AssignmentCost {
  std::int64_t weighed = 0, joules = 0, position = 0;

  auto operator<=>(const AssignmentCost&) const = default;
  AssignmentCost operator+(const AssignmentCost& o) const { return {weighed + o.weighed, joules + o.joules, position + o.position}; }
  AssignmentCost operator-(const AssignmentCost& o) const { return {weighed - o.weighed, joules - o.joules, position - o.position}; }
};

/// How many requests a model may get.
struct CountBounds {
  std::int64_t least = 0, most = 0;
};

/// Real costs of a request on each model, with the joules behind them.
struct WeighedRequest {
  double weighed = 0, joules = 0;
};

/// The same as whole numbers: multiplied by the power of two that brings the largest magnitude to 2^52 .. 2^53, so that rounding moves each by 2^-53 of
/// it at most. `models` of them a request, in turn.
std::vector<AssignmentCost> whole_costs(std::span<const WeighedRequest> costs, std::size_t models);

/// Assigns each request to a model at the least sum of costs while every count keeps its bounds: the transportation problem with one sink a model,
/// solved exactly by successive shortest paths. It starts from every request at its cheapest model, the optimum without bounds, and moves requests
/// along the cheapest chains from models with too many to those with too few, so the work is O(moves (models^3 + models log requests)); the paths
/// run over models alone, because of all requests on one model only the cheapest to move on counts (a heap a pair of models). Among assignments of the
/// same cost: less joules, then lower positions; among requests that move alike the one with the lower number.
///
/// `costs` has `bounds.size()` entries a request. The bounds can be met: the sum of the least is at most the number of requests, that of the most at
/// least; a Bug else.
std::vector<std::uint32_t> assign(std::span<const AssignmentCost> costs, std::span<const CountBounds> bounds);

}  // namespace joulecast::policy
