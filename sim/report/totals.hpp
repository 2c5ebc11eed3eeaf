#pragma once

#include <cstdint>

#include "scenario/result.hpp"

namespace joulecast::report {

/// Sums over the traffics of a run.
struct Totals {
  std::uint64_t arrived = 0, completed = 0, over_context = 0, truncated = 0, rejected = 0, unfinished = 0;
  std::uint64_t input_tokens = 0, output_tokens = 0;
};

inline Totals totals(const scenario::Result& result) {
  Totals sum;
  for (const auto& traffic : result.traffics) {
    sum.arrived += traffic.arrived;
    sum.completed += traffic.completed;
    sum.over_context += traffic.over_context;
    sum.truncated += traffic.truncated;
    sum.rejected += traffic.rejected;
    sum.unfinished += traffic.unfinished;
    sum.input_tokens += traffic.input_tokens;
    sum.output_tokens += traffic.output_tokens;
  }
  return sum;
}

/// The account of a pool by name; nullptr where there is none.
inline const metering::PoolAccount* account_of(const scenario::Result& result, const std::string& pool) {
  for (const auto& account : result.energy.pools) {
    if (account.name == pool) return &account;
  }
  return nullptr;
}

/// The name under which GPUs that no pool uses are accounted.
inline const std::string kNoPool = "no pool";

}  // namespace joulecast::report
