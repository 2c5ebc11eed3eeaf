#include <algorithm>

#include "base/error.hpp"
#include "base/hash.hpp"
#include "serving/replica.hpp"

namespace joulecast::serving {

/// How many steps of the open stretch ended before `now`. The event at the end of the stretch does what is due there, so the last one never counts.
std::int64_t Replica::steps_before(Time now) const {
  if (idle()) return 0;
  return stretch_.first_ending_from(to_fixed(now), stretch_.steps) - 1;
}

ReplicaView Replica::view(Time now) const {
  std::int64_t used = scheduler_.kv().used();
  const std::int64_t steps = steps_before(now);
  if (steps > 0) used += scheduler_.repeat_blocks(steps, first_done_);
  ReplicaView view;
  view.waiting = static_cast<std::int32_t>(scheduler_.waiting());
  view.running = static_cast<std::int32_t>(scheduler_.running());
  view.kv_usage = static_cast<double>(used) / static_cast<double>(scheduler_.kv().usable());
  view.tokens_queued = scheduler_.tokens_queued();
  view.accepting = readiness_ == control::Readiness::ready;
  return view;
}

std::uint64_t Replica::fingerprint(Time now) const {
  const std::int64_t steps = steps_before(now);
  const FixedTime last = idle() ? clock_ : stretch_.end_of(steps);
  const std::int64_t taken = steps > 0 ? scheduler_.repeat_blocks(steps, first_done_) : 0;
  std::uint64_t hash = mix(0, static_cast<std::uint64_t>(scheduler_.waiting()));
  hash = mix(hash, static_cast<std::uint64_t>(scheduler_.running()));
  hash = mix(hash, static_cast<std::uint64_t>(scheduler_.tokens_queued()));
  hash = mix(hash, static_cast<std::uint64_t>(scheduler_.kv().used() + taken));
  hash = mix(hash, static_cast<std::uint64_t>(executing_.decodes));
  hash = mix(hash, static_cast<std::uint64_t>(executing_.context + steps * executing_.decodes));
  hash = mix(hash, static_cast<std::uint64_t>(executing_.chunks.size()));
  hash = mix(hash, static_cast<std::uint64_t>(statistics_.steps + steps));
  hash = mix(hash, static_cast<std::uint64_t>(statistics_.output_tokens + steps * executing_.decodes));
  hash = mix(hash, static_cast<std::uint64_t>(statistics_.preemptions));
  hash = mix(hash, static_cast<std::uint64_t>(last.raw));
  return mix(hash, static_cast<std::uint64_t>(last.raw >> 64));
}

void Replica::finish(engine::Context& context) {
  const FixedTime end = to_fixed(context.now());
  if (idle()) {
    charge_idle(end);
    return;
  }
  const std::int64_t steps = steps_before(context.now());
  const FixedTime open = stretch_.end_of(steps);
  JOULECAST_CHECK(open <= end && end <= stretch_.end(), "the run ended outside the replica's open stretch");
  if (steps > 0) {
    close_steps(steps);
    clock_ = open;
    price_executing();
  }
  charge_open_step(end - clock_);
  for (std::uint32_t slot = 0; slot < requests_.slots(); ++slot) {
    if (requests_[slot].attributing) settle(requests_[slot]);
  }
}

}  // namespace joulecast::serving
