#pragma once

#include <cstdint>

#include "base/fixed.hpp"

namespace joulecast::serving {

/// What one step gives to each request in it, in whole units of 2^-24 nJ: `dense` a decoding sequence or prompt token, `attention` a token of context
/// read. The divisions drop a remainder of less than one unit a share.
struct StepShares {
  int128 dense = 0;
  int128 attention = 0;

  /// A prompt chunk of `tokens` after `context` tokens: token i of it reads context + i.
  FixedEnergy of_chunk(std::int64_t tokens, std::int64_t context) const { return {dense * tokens + attention * chunk_reads(tokens, context)}; }
  static constexpr std::int64_t chunk_reads(std::int64_t tokens, std::int64_t context) { return tokens * context + tokens * (tokens + 1) / 2; }
};

/// Running sums over the steps of a replica, from which the joules of a request that decodes from one step to another are the difference at its ends:
/// in step i it reads offset + i tokens, so its share is the sum over steps of dense + attention * (offset + i).
struct Integrals {
  int128 dense = 0;
  int128 attention = 0;
  int128 attention_step = 0;  ///< of attention * step number

  /// Adds `steps` steps of equal shares, numbered from `first`.
  void add(const StepShares& shares, std::int64_t first, std::int64_t steps) {
    dense += shares.dense * steps;
    attention += shares.attention * steps;
    attention_step += shares.attention * (static_cast<int128>(first) * steps + static_cast<int128>(steps) * (steps - 1) / 2);
  }

  /// The joules, from `since` to here, of a sequence that reads offset + i tokens in step i.
  FixedEnergy joules(const Integrals& since, std::int64_t offset) const {
    return {dense - since.dense + (attention - since.attention) * offset + attention_step - since.attention_step};
  }
};

}  // namespace joulecast::serving
