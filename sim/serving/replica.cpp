#include "serving/replica.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"

namespace joulecast::serving {
Replica::Replica(ReplicaSetup setup)
    : setup_(std::move(setup)),
      idle_rate_(setup_.costs.idle_joules_per_nanosecond()),
      scheduler_(setup_.engine, requests_, setup_.costs.knows_uneven()),
      switch_(setup_.points != nullptr ? setup_.points->switch_latency() : setup_.costs.switch_latency(), {&setup_.costs, Phase::decode}),
      decoding_(setup_.tables.size(), 0) {
  statistics_.inter_token.resize(setup_.tables.size());
}

void Replica::tell(std::uint32_t traffic, engine::Port port, engine::EntityId source) {
  listeners_.resize(setup_.tables.size());
  listeners_[traffic] = {port, source};
}

void Replica::on(const engine::Event& event, engine::Context& context) {
  if (event.timer != 0) {
    event.kind == kBoundaryTimer ? boundary(context) : loaded(context);
    return;
  }
  switch (event.kind) {
    case enqueue:
      return arrive(event.payload, context);
    case set_point:
      return command_point(event.payload, context);
    case load:
      return command_load(context);
    case unload:
      return command_unload(context);
    case kv_arrived:
      return take_kv(event.payload, context);
    case kv_taken:
      return release_kv(event.payload, context);
    default:
      JOULECAST_BUG("a replica got a message that it does not know");
  }
}

void Replica::arrive(std::uint64_t payload, engine::Context& context) {
  RequestTable& table = *setup_.tables[payload >> 32];
  RequestRecord& record = table[static_cast<std::uint32_t>(payload)];
  record.outcome.replica = setup_.index;
  const bool first = scheduler_.none_to_admit();
  const std::uint32_t slot = requests_.add(record, payload, table.prefixes());
  requests_[slot].traffic = static_cast<std::uint32_t>(payload >> 32);
  if (setup_.engine.kv_role == KvRole::producer) requests_[slot].output = 1;
  if (setup_.engine.kv_role == KvRole::consumer) requests_[slot].remote_kv = RemoteKv::remote;
  scheduler_.enqueue(slot);
  ++requests_arrived_;
  prompt_tokens_arrived_ += record.facts.input;
  if (idle() || first) look_at_queue(context);
}

/// Somebody may be admitted who could not be before.
void Replica::look_at_queue(engine::Context& context) {
  if (!idle()) {
    if (stretch_.steps > 1 && scheduler_.can_admit()) cut_stretch(to_fixed(context.now()), context);
  } else if (readiness_ == control::Readiness::unloaded) {
    start_loading(context);
  } else if (readiness_ != control::Readiness::loading) {
    // Everything that arrives at this instant is there before the first plan is made.
    context.set_timer(kBoundaryTimer, context.now());
  }
}

/// Ends the open stretch with its first step that ends at or after `instant`.
void Replica::cut_stretch(FixedTime instant, engine::Context& context) {
  const std::int64_t steps = stretch_.first_ending_from(instant, stretch_.steps);
  if (steps == stretch_.steps) return;
  stretch_.steps = steps;
  context.set_timer(kBoundaryTimer, floor_time(stretch_.end()));
}

/// The executing steps end, or an idle replica wakes.
void Replica::boundary(engine::Context& context) {
  if (idle()) {
    charge_idle(to_fixed(context.now()));
  } else {
    const FixedTime end = stretch_.end();
    close_steps(stretch_.steps);
    clock_ = end;
    give_outputs(context);
    std::swap(executing_, next_);
    next_.clear();
  }
  if (setup_.engine.async_scheduling) {
    if (idle()) schedule(executing_, context);
    if (!idle()) {
      start_executing();
      schedule(next_, context);
    }
  } else {
    schedule(executing_, context);
    // Where KV on its way takes the last blocks, the only running request can be preempted; who waits is then looked at again.
    if (idle() && !scheduler_.preempted().empty()) schedule(executing_, context);
    if (!idle()) start_executing();
  }
  if (idle()) {
    JOULECAST_CHECK(scheduler_.waiting() == 0 || scheduler_.in_transfer() > 0, "an idle replica refuses a waiting request");
    if (readiness_ == control::Readiness::draining && scheduler_.in_transfer() == 0) become(control::Readiness::unloaded);
    return;
  }
  price_executing();
  stretch_.steps = stretch_limit();
  context.set_timer(kBoundaryTimer, floor_time(stretch_.end()));
}

void Replica::schedule(Plan& plan, engine::Context& context) {
  scheduler_.plan(plan);
  if (!scheduler_.loads().empty()) fetch(context);
  for (const std::uint32_t slot : scheduler_.preempted()) {
    ActiveRequest& request = requests_[slot];
    ++request.record->outcome.preemptions;
    request.record->outcome.fate = Fate::waiting;
    ++statistics_.preemptions;
    if (!request.attributing) continue;
    if (setup_.engine.async_scheduling) {
      leaving_.push_back(slot);
    } else {
      settle(request);
    }
  }
  statistics_.prefix_queries = scheduler_.prefix_queries();
  statistics_.prefix_hits = scheduler_.prefix_hits();
}

void Replica::start_executing() {
  for (const Plan::ChunkOwner& owner : executing_.owners) {
    Outcome& outcome = requests_[owner.slot].record->outcome;
    outcome.fate = Fate::running;
    if (outcome.queued_until < Time{0}) outcome.queued_until = floor_time(clock_);
  }
}

}  // namespace joulecast::serving
