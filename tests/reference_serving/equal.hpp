#pragma once

#include <catch2/catch.hpp>

#include "reference_serving/problem.hpp"

namespace joulecast::reference {

inline void require_equal(const serving::Outcome& a, const serving::Outcome& b) {
  REQUIRE(a.queued_until.ns == b.queued_until.ns);
  REQUIRE(a.first_token.ns == b.first_token.ns);
  REQUIRE(a.last_token.ns == b.last_token.ns);
  REQUIRE(a.replica == b.replica);
  REQUIRE(a.preemptions == b.preemptions);
  REQUIRE(a.prefill_replica == b.prefill_replica);
  REQUIRE(a.prefilled.ns == b.prefilled.ns);
  REQUIRE(a.kv_received.ns == b.kv_received.ns);
  REQUIRE(a.kv_blocks == b.kv_blocks);
  INFO("fate " << static_cast<int>(a.fate) << " and " << static_cast<int>(b.fate));
  REQUIRE((a.fate == serving::Fate::completed) == (b.fate == serving::Fate::completed));
  INFO("joules " << a.joules.units() << " and " << b.joules.units() << ", " << static_cast<std::int64_t>(a.joules.raw - b.joules.raw)
                 << " units apart");
  REQUIRE((a.joules == b.joules));
}

inline void require_equal(const ReplicaAnswer& a, const ReplicaAnswer& b) {
  REQUIRE((a.active == b.active));
  REQUIRE((a.idle == b.idle));
  REQUIRE((a.busy == b.busy));
  REQUIRE((a.block_time == b.block_time));
  REQUIRE(a.steps == b.steps);
  REQUIRE(a.sequence_steps == b.sequence_steps);
  REQUIRE(a.output_tokens == b.output_tokens);
  REQUIRE(a.preemptions == b.preemptions);
  REQUIRE(a.prefix_queries == b.prefix_queries);
  REQUIRE(a.prefix_hits == b.prefix_hits);
  REQUIRE(a.inter_token_count == b.inter_token_count);
}

}  // namespace joulecast::reference
