#pragma once

#include <cstdint>
#include <memory>

#include "reference_serving/reference.hpp"
#include "reference_serving/synthetic_costs.hpp"

namespace joulecast::reference {

struct RandomProblem {
  std::unique_ptr<SyntheticCosts> costs;
  std::unique_ptr<traces::PrefixTree> prefixes;  ///< null where prompts share nothing
  Problem problem;
  std::int64_t step_ns = 0;  ///< about what a step takes
};

/// A small scenario that strains the rules: caches that hold little more than the longest request, few sequences, chunks, bursts of equal arrival
/// times, prompts with common prefixes, steps from nanoseconds to milliseconds, two clocks with a latency, a horizon that cuts what runs.
RandomProblem random_problem(std::uint64_t seed);

}  // namespace joulecast::reference
