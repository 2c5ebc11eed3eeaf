#include "serving/replica.hpp"
#include "serving/source.hpp"

namespace joulecast::serving {

/// At the end (`clock_`) of the executing step: joules of its prompt chunks, tokens, and who is done or no longer takes part.
void Replica::give_outputs(engine::Context& context) {
  for (std::size_t i = 0; i < executing_.chunks.size(); ++i) {
    ActiveRequest& request = requests_[executing_.owners[i].slot];
    const FixedEnergy joules = stretch_.shares.of_chunk(executing_.chunks[i].tokens, executing_.chunks[i].context);
    request.record->outcome.joules += joules;
    statistics_.prompt_joules += joules;
    if (executing_.owners[i].completes && setup_.engine.kv_role != KvRole::producer) give_token(request);
  }
  give_verified();
  for (const std::uint32_t slot : leaving_) settle(requests_[slot]);
  leaving_.clear();
  for (const std::uint32_t slot : executing_.finishing) {
    ActiveRequest& request = requests_[slot];
    if (setup_.engine.kv_role == KvRole::producer) {
      hand_over(slot, context);
      continue;
    }
    if (request.attributing) settle(request);
    request.record->outcome.last_token = floor_time(clock_);
    request.record->outcome.fate = Fate::completed;
    announce(request, context);
    scheduler_.complete(slot);
  }
}

/// Tells a closed loop's source that a request of its own is done.
void Replica::announce(const ActiveRequest& request, engine::Context& context) {
  if (listeners_.empty()) return;
  const Listener& listener = listeners_[request.owner >> 32];
  if (listener.source) context.send(listener.port, *listener.source, Source::completed, request.owner);
}

/// The token that comes with the end of a prompt.
void Replica::give_token(ActiveRequest& request) {
  Outcome& outcome = request.record->outcome;
  ++statistics_.output_tokens;
  ++outcome.generated;
  if (outcome.first_token < Time{0}) {
    outcome.first_token = floor_time(clock_);
  } else if (clock_ >= to_fixed(setup_.warmup)) {
    statistics_.inter_token[request.traffic].add(clock_ - request.last_token);
  }
  request.last_token = clock_;
  // It decodes from the next step on, unless this was its last token or it was preempted since its chunk was planned.
  if (setup_.engine.speculative.on()) return;
  if (request.stage != Stage::waiting && request.last_step > executing_.step) {
    request.attributing = true;
    ++decoding_[request.traffic];
    request.since = integrals_;
    request.since_steps = statistics_.steps;
  }
}

/// Speculative decoding: what each decoding sequence got of the executing step. Its tokens come together.
void Replica::give_verified() {
  for (const Plan::Verified& each : executing_.verified) {
    ActiveRequest& request = requests_[each.slot];
    request.record->outcome.joules.raw += stretch_.shares.dense + stretch_.shares.attention * each.reads;
    request.record->outcome.generated += static_cast<std::int32_t>(each.gives);
    statistics_.output_tokens += each.gives;
    statistics_.verified_tokens += each.gives;
    ++statistics_.verifications;
    if (clock_ >= to_fixed(setup_.warmup)) {
      statistics_.inter_token[request.traffic].add(clock_ - request.last_token);
      statistics_.inter_token[request.traffic].add({}, each.gives - 1);
    }
    request.last_token = clock_;
  }
}

/// Gives a request its joules and tokens of the steps in which it decoded, up to `clock_`.
void Replica::settle(ActiveRequest& request) {
  request.record->outcome.joules += integrals_.joules(request.since, request.offset);
  request.record->outcome.generated += static_cast<std::int32_t>(statistics_.steps - request.since_steps);
  request.attributing = false;
  --decoding_[request.traffic];
  request.last_token = clock_;
}

}  // namespace joulecast::serving
