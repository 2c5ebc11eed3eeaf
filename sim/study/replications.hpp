#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "scenario/load_arms.hpp"
#include "study/paired.hpp"

namespace joulecast::study {

/// One run of every arm: the seed, and whether the traces are resampled with it.
struct Replication {
  std::uint64_t seed = 0;
  bool resampled = false;
};

/// The first one, which stands for the whole, has the scenario's own seed and the traces as they are; the seeds of the others are drawn from it.
/// draws: it is one of `replications`. blocks: it comes beside them.
std::vector<Replication> replications_of(const scenario::CompareTable& compare, std::uint64_t seed);
Spread spread_of(const scenario::CompareTable& compare);

/// The arm as it runs in a replication: `joulecast run` of its resolved file gives the same.
scenario::Scenario replicated(const scenario::Scenario& arm, const Replication& replication, const scenario::CompareTable& compare);

/// Throws UserError where resampling was asked for and no traffic replays a trace.
void check_resample(const scenario::Arms& arms);
/// The fault of asking for intervals where nothing is random: names what is fixed.
[[noreturn]] void refuse_intervals(const scenario::Arms& arms);

}  // namespace joulecast::study
