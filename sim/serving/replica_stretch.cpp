#include <algorithm>

#include "serving/replica.hpp"

namespace joulecast::serving {
namespace {

using metering::State;

constexpr auto kAttentionWork = static_cast<std::size_t>(Work::attention);

}  // namespace

/// Looks up what the executing plan costs from `clock_` on.
void Replica::price_executing() {
  const Plan& plan = executing_;
  const StepCosts& asked = *switch_.asked().costs;
  const Phase wanted = plan.chunks.empty() || asked.one_clock() ? Phase::decode : Phase::prefill;
  const Pricing pricing = switch_.at_start({&asked, wanted}, clock_);
  const StepCosts& costs = *pricing.costs;
  stretch_.start = clock_;
  if (plan.chunks.empty()) {
    const DecodeSegment* segment = stretch_.segment;
    if (segment == nullptr || segment_decodes_ != plan.decodes || segment_uneven_ != plan.uneven || segment_pricing_ != pricing ||
        plan.context < segment->context_from || plan.context >= segment->context_to) {
      segment = &costs.decode(pricing.clock, static_cast<int>(plan.decodes), {plan.context, plan.uneven});
      stretch_.segment = segment;
      segment_decodes_ = plan.decodes;
      segment_uneven_ = plan.uneven;
      segment_pricing_ = pricing;
      stretch_.shares = {segment->base_joules.raw / plan.decodes, segment->attention_joules_per_context.raw};
    }
    const FixedTime seconds = segment->attention_seconds_per_context;
    const FixedEnergy joules = segment->attention_joules_per_context;
    stretch_.seconds = {segment->base_seconds + plan.context * seconds, plan.decodes * seconds};
    stretch_.joules = {segment->base_joules + plan.context * joules, plan.decodes * joules};
    return;
  }
  stretch_.segment = nullptr;
  stretch_.mixed = costs.mixed(pricing.clock, plan.chunks, static_cast<int>(plan.decodes), {plan.context, plan.uneven});
  stretch_.seconds = {stretch_.mixed.total_seconds(), {}};
  stretch_.joules = {stretch_.mixed.total_joules(), {}};
  std::int64_t tokens = plan.decodes;
  std::int64_t reads = plan.context;
  for (const Chunk& chunk : plan.chunks) {
    tokens += chunk.tokens;
    reads += StepShares::chunk_reads(chunk.tokens, chunk.context);
  }
  const FixedEnergy attention = stretch_.mixed.joules[kAttentionWork];
  stretch_.shares = {(stretch_.joules.first - attention).raw / tokens, attention.raw / reads};
}

/// For how many steps the executing plan, once priced, surely repeats itself.
std::int64_t Replica::stretch_limit() {
  const bool async = setup_.engine.async_scheduling;
  const Plan& last = async ? next_ : executing_;
  if (setup_.step_mode || setup_.engine.speculative.on() || !executing_.chunks.empty() || !executing_.finishing.empty()) return 1;
  if (!last.chunks.empty() || last.decodes != executing_.decodes) return 1;
  if (scheduler_.can_admit()) return 1;
  first_done_ = last.finishing.empty() ? scheduler_.first_done() : last.step;
  std::int64_t steps = first_done_ - executing_.step + 1;
  steps = std::min(steps, (stretch_.segment->context_to - 1 - executing_.context) / executing_.decodes + 1);
  steps = std::min(steps, scheduler_.repeatable(steps - 1) + 1);
  if (switch_.pending()) steps = stretch_.first_ending_from(switch_.next_act(), steps);
  return steps;
}

/// The first `steps` steps of the stretch have ended: charges them and makes the plans that were due at their ends, but for the one at the end of the
/// whole stretch.
void Replica::close_steps(std::int64_t steps) {
  const std::int64_t plans = std::min(steps, stretch_.steps - 1);
  const FixedTime elapsed = stretch_.seconds.sum(steps);
  setup_.meter.add_steps(State::active, stretch_.start, steps, stretch_.seconds, stretch_.joules);
  charge_classes(steps);
  count_inter_token(steps);
  integrals_.add(stretch_.shares, executing_.step, steps);
  statistics_.steps += steps;
  statistics_.sequence_steps += steps * (executing_.decodes + static_cast<std::int64_t>(executing_.chunks.size()));
  if (!setup_.engine.speculative.on()) statistics_.output_tokens += steps * executing_.decodes;
  statistics_.busy += elapsed;
  statistics_.block_time += block_time(steps, plans);
  if (plans > 0) {
    if (setup_.engine.async_scheduling) {
      scheduler_.repeat(plans, executing_, next_);
    } else {
      scheduler_.repeat(plans, scratch_, executing_);
    }
  }
}

void Replica::charge_classes(std::int64_t steps) {
  const bool decode = stretch_.segment != nullptr;
  const StepCost& cost = decode ? stretch_.segment->base : stretch_.mixed;
  for (int work = 0; work < kWorks; ++work) {
    const auto i = static_cast<std::size_t>(work);
    FixedTime seconds = steps * cost.seconds[i];
    FixedEnergy joules = steps * cost.joules[i];
    if (decode && i == kAttentionWork) {
      const std::int64_t context = steps * executing_.context + executing_.decodes * (steps * (steps - 1) / 2);
      seconds += context * stretch_.segment->attention_seconds_per_context;
      joules += context * stretch_.segment->attention_joules_per_context;
    }
    setup_.meter.add_class(static_cast<metering::ClassId>(work), seconds, joules);
  }
}

/// Every decoding sequence got a token at the end of each step, one step after its last. Those of the executing plan are the ones that are attributed to.
void Replica::count_inter_token(std::int64_t steps) {
  const FixedTime warmup = to_fixed(setup_.warmup);
  std::int64_t skipped = 0;
  if (stretch_.start < warmup) skipped = stretch_.end_of(steps) < warmup ? steps : stretch_.first_ending_from(warmup, steps) - 1;
  const Progression<SecondsTag> durations{stretch_.seconds.at(skipped), stretch_.seconds.grow};
  for (std::size_t traffic = 0; traffic < decoding_.size(); ++traffic) {
    statistics_.inter_token[traffic].add_steps(durations, steps - skipped, decoding_[traffic]);
  }
}

/// Blocks in use times time over the first `steps` steps, where `plans` plans take further blocks at the ends of the first of them.
int128 Replica::block_time(std::int64_t steps, std::int64_t plans) const {
  const FixedTime all = stretch_.seconds.sum(steps);
  int128 sum = all.raw * scheduler_.kv().used();
  const std::int64_t period = setup_.engine.block_size;
  std::int64_t taken = 0;
  for (std::int64_t i = 1; i <= std::min(plans, period); ++i) {
    const std::int64_t blocks = scheduler_.decodes().blocks_needed(scheduler_.last_step() + i);
    if (blocks == 0) continue;
    // The same sequences need a block again every `period` plans: at i, i + period, ...; end_of(x) = first x + grow x (x - 1) / 2.
    const int128 times = (plans - i) / period + 1;
    const int128 ends = times * i + period * (times * (times - 1) / 2);
    const int128 squares = times * i * i + i * period * times * (times - 1) + period * period * ((times - 1) * times * (2 * times - 1) / 6);
    const int128 before = stretch_.seconds.first.raw * ends + stretch_.seconds.grow.raw * ((squares - ends) / 2);
    sum += blocks * (times * all.raw - before);
    taken += static_cast<std::int64_t>(times) * blocks;
  }
  // Who is done before the last of these plans needs nothing for it.
  if (plans > 0) sum -= (taken - scheduler_.repeat_blocks(plans, first_done_)) * (all - stretch_.seconds.sum(plans)).raw;
  return sum;
}

/// Idle from `clock_` to `to`, and `clock_` follows.
void Replica::charge_idle(FixedTime to) {
  if (to <= clock_) return;
  if (idle_state_ == State::bare_idle) statistics_.unloaded += to - clock_;
  setup_.meter.add(idle_state_, clock_, to, {(idle_rate_.raw * (to - clock_).raw) >> FixedTime::kFractionBits});
  statistics_.block_time += (to - clock_).raw * scheduler_.kv().used();
  clock_ = to;
}

/// The executing step, which has run for `elapsed` from `clock_`, is cut by the end of the run: its joules and its classes in proportion; what
/// rounding leaves over goes to the first class.
void Replica::charge_open_step(FixedTime elapsed) {
  const FixedTime duration = stretch_.seconds.first;
  const FixedEnergy joules = share(stretch_.joules.first, elapsed, duration);
  setup_.meter.add(State::active, clock_, clock_ + elapsed, joules);
  StepCost cost = stretch_.segment != nullptr ? stretch_.segment->base : stretch_.mixed;
  if (stretch_.segment != nullptr) {
    cost.seconds[kAttentionWork] += executing_.context * stretch_.segment->attention_seconds_per_context;
    cost.joules[kAttentionWork] += executing_.context * stretch_.segment->attention_joules_per_context;
  }
  FixedTime rest_seconds = elapsed;
  FixedEnergy rest_joules = joules;
  for (std::size_t i = kWorks; i-- > 1;) {
    const FixedTime class_seconds = share(cost.seconds[i], elapsed, duration);
    const FixedEnergy class_joules = share(cost.joules[i], elapsed, duration);
    setup_.meter.add_class(static_cast<metering::ClassId>(i), class_seconds, class_joules);
    rest_seconds -= class_seconds;
    rest_joules -= class_joules;
  }
  setup_.meter.add_class(0, rest_seconds, rest_joules);
  statistics_.busy += elapsed;
  statistics_.block_time += elapsed.raw * scheduler_.kv().used();
}

}  // namespace joulecast::serving
