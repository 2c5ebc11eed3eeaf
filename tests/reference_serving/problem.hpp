#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "serving/engine_config.hpp"
#include "serving/requests.hpp"
#include "serving/step_cost.hpp"

namespace joulecast::reference {

/// Replicas of one kind behind a router, and what arrives. All requests fit the context.
struct Problem {
  serving::EngineConfig engine;
  const serving::StepCosts* costs = nullptr;
  std::vector<traces::Request> requests;
  const traces::PrefixTree* prefixes = nullptr;  ///< that their `prefix` is a node of
  std::size_t replicas = 1;
  std::string router = "round_robin";  ///< or "least_outstanding"
  Time horizon;                        ///< nothing happens at or after it; the accounts are closed here
  Time warmup{0};
};

/// Turns speculative decoding on, with as many tokens a step as it takes.
inline void speculate(serving::EngineConfig& engine, std::int64_t tokens, double acceptance_rate) {
  engine.speculative = {serving::Speculation::Method::ngram, tokens, acceptance_rate, 17};
  engine.max_num_batched_tokens = std::max(engine.max_num_batched_tokens, engine.max_num_seqs * engine.speculative.scheduled());
}

struct ReplicaAnswer {
  FixedEnergy active, idle;
  FixedTime busy;
  int128 block_time = 0;
  std::int64_t steps = 0, sequence_steps = 0, output_tokens = 0, preemptions = 0, prefix_queries = 0, prefix_hits = 0;
  std::int64_t inter_token_count = 0;
  FixedTime inter_token_sum;
};

struct Answer {
  std::vector<serving::Outcome> outcomes;
  std::vector<ReplicaAnswer> replicas;
};

}  // namespace joulecast::reference
