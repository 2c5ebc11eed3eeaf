#include "base/error.hpp"
#include "serving/kv_transfer.hpp"
#include "serving/replica.hpp"
#include "serving/router.hpp"

namespace joulecast::serving {

void Replica::hand_over_to(std::uint32_t traffic, engine::Port port, engine::EntityId router) {
  takers_.resize(setup_.tables.size());
  takers_[traffic] = {port, router};
}

void Replica::fetch_from(engine::Port port, engine::EntityId network) { network_ = {port, network}; }

/// A producer's prompt is done: its blocks stay until the consumer has read them. The token that its last step gave is not used, as vLLM's proxies do.
void Replica::hand_over(std::uint32_t slot, engine::Context& context) {
  const ActiveRequest& request = requests_[slot];
  Outcome& outcome = request.record->outcome;
  outcome.prefilled = floor_time(clock_);
  outcome.prefill_replica = setup_.index;
  outcome.fate = Fate::waiting;
  scheduler_.hold(slot);
  in_transfer_.emplace(request.owner, slot);
  const Listener& taker = takers_[request.owner >> 32];
  context.send(taker.port, *taker.source, Router::route, request.owner);
}

/// Asks for the KV that the last plan has taken blocks for.
void Replica::fetch(engine::Context& context) {
  for (const std::uint32_t slot : scheduler_.loads()) {
    in_transfer_.emplace(requests_[slot].owner, slot);
    context.send(network_.port, *network_.source, KvNetwork::fetch, requests_[slot].owner);
  }
}

void Replica::take_kv(std::uint64_t payload, engine::Context& context) {
  const auto found = in_transfer_.find(payload);
  JOULECAST_CHECK(found != in_transfer_.end(), "KV came for a request that is not here");
  Outcome& outcome = requests_[found->second].record->outcome;
  outcome.kv_received = context.now();
  statistics_.kv_blocks_received += outcome.kv_blocks;
  scheduler_.loaded(found->second);
  in_transfer_.erase(found);
  look_at_queue(context);
}

void Replica::release_kv(std::uint64_t payload, engine::Context& context) {
  const auto found = in_transfer_.find(payload);
  JOULECAST_CHECK(found != in_transfer_.end(), "the KV of a request was taken that is not here");
  const std::uint32_t slot = found->second;
  in_transfer_.erase(found);
  const std::int64_t used = scheduler_.kv().used();
  statistics_.kv_blocks_sent += requests_[slot].record->outcome.kv_blocks;
  scheduler_.let_go(slot);
  // What the open step or idle time counts at its end no longer holds these blocks.
  statistics_.block_time += (to_fixed(context.now()) - clock_).raw * (used - scheduler_.kv().used());
  const bool last = idle() && scheduler_.waiting() == 0;
  if (!last) {
    look_at_queue(context);
  } else if (readiness_ == control::Readiness::draining && scheduler_.in_transfer() == 0) {
    charge_idle(to_fixed(context.now()));
    become(control::Readiness::unloaded);
  }
}

}  // namespace joulecast::serving
