#include "base/error.hpp"
#include "serving/replica.hpp"

namespace joulecast::serving {

using control::Readiness;

/// The point acts from the first step that starts after the switch latency; what runs at that instant runs to its end.
void Replica::command_point(std::uint64_t number, engine::Context& context) {
  JOULECAST_CHECK(setup_.points != nullptr, "a replica without operating points was told one");
  const StepCosts& costs = setup_.points->costs(number);
  const bool was_pending = switch_.pending();
  switch_.ask({&costs, costs.one_clock() ? Phase::decode : switch_.asked().clock}, to_fixed(context.now()));
  if (!was_pending && switch_.pending() && !idle() && stretch_.steps > 1) cut_stretch(switch_.next_act(), context);
}

void Replica::command_load(engine::Context& context) {
  if (readiness_ == Readiness::draining) become(Readiness::ready);
  if (readiness_ == Readiness::unloaded) start_loading(context);
}

void Replica::command_unload(engine::Context& context) {
  if (readiness_ != Readiness::ready) return;
  if (!idle() || scheduler_.waiting() > 0 || scheduler_.in_transfer() > 0) return become(Readiness::draining);
  charge_idle(to_fixed(context.now()));
  become(Readiness::unloaded);
}

void Replica::start_loading(engine::Context& context) {
  charge_idle(to_fixed(context.now()));
  become(Readiness::loading);
  ++statistics_.loads;
  context.set_timer(kLoadedTimer, context.now() + setup_.loading->time);
}

void Replica::loaded(engine::Context& context) {
  charge_idle(to_fixed(context.now()));
  become(Readiness::ready);
  if (scheduler_.waiting() > 0) context.set_timer(kBoundaryTimer, context.now());
}

/// Loading is charged as context idle at the watts of loading.
void Replica::become(Readiness readiness) {
  JOULECAST_CHECK(setup_.loading.has_value(), "a replica was told to unload that can't load again");
  readiness_ = readiness;
  idle_state_ = readiness == Readiness::unloaded ? metering::State::bare_idle : metering::State::context_idle;
  idle_rate_ = setup_.costs.idle_joules_per_nanosecond();
  if (readiness == Readiness::loading) idle_rate_ = setup_.loading->loading;
  if (readiness != Readiness::unloaded) return;
  idle_rate_ = setup_.loading->unloaded;
  scheduler_.forget_kv();
}

FixedEnergy Replica::joules_until(Time now) const {
  FixedEnergy joules;
  for (int s = 0; s < metering::kStates; ++s) joules += setup_.meter.joules(static_cast<metering::State>(s));
  const FixedTime until = to_fixed(now);
  if (idle()) {
    if (until > clock_) joules += FixedEnergy{(idle_rate_.raw * (until - clock_).raw) >> FixedTime::kFractionBits};
    return joules;
  }
  const std::int64_t steps = steps_before(now);
  const FixedTime open = stretch_.end_of(steps);
  joules += stretch_.joules.sum(steps);
  if (until > open) joules += share(stretch_.joules.at(steps), until - open, stretch_.seconds.at(steps));
  return joules;
}

control::ReplicaState Replica::state(Time now) const {
  const ReplicaView shown = view(now);
  const std::int64_t steps = steps_before(now);
  control::ReplicaState state;
  state.readiness = readiness_;
  state.waiting = shown.waiting;
  state.running = shown.running;
  state.decodes = executing_.decodes;
  state.context = executing_.context + steps * executing_.decodes;
  state.tokens_queued = shown.tokens_queued;
  state.kv_usage = shown.kv_usage;
  state.requests_arrived = requests_arrived_;
  state.prompt_tokens_arrived = prompt_tokens_arrived_;
  state.output_tokens = statistics_.output_tokens + steps * executing_.decodes;
  state.joules = joules_until(now).units();
  return state;
}

}  // namespace joulecast::serving
