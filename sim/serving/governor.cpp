#include "serving/governor.hpp"

#include <algorithm>
#include <numeric>

#include "base/error.hpp"
#include "base/hash.hpp"

namespace joulecast::serving {

Governor::Governor(std::vector<GovernedPool> pools, std::vector<GovernedPower> power) {
  const auto add_period = [this](Span period) { period_ = {std::gcd(period_.ns, period.ns)}; };
  for (GovernedPool& setup : pools) {
    PoolState& pool = pools_.emplace_back();
    const std::size_t replicas = setup.replicas.size();
    pool.commanded.assign(replicas, 0);
    for (const Replica* replica : setup.replicas) pool.now.push_back(replica->state(Time{0}));
    pool.at_clock_point = pool.now;
    if (setup.clocks) pool.clocks.assign(replicas, setup.clocks->first());
    if (setup.clocks && setup.clocks->period()) add_period(*setup.clocks->period());
    if (setup.scaler) add_period(setup.scaler->period());
    pool.setup = std::move(setup);
  }
  for (GovernedPower& setup : power) {
    PowerState state{std::move(setup), {}, {}, {}, {}, {}};
    for (const std::size_t pool : state.setup.pools) {
      state.slot.push_back(pools_[pool].limits.size());
      pools_[pool].limits.emplace_back();
    }
    state.decided.resize(state.setup.pools.size());
    for (const PoolState& pool : pools_) state.joules.emplace_back(pool.now.size(), 0.0);
    add_period(state.setup.controller->period());
    power_.push_back(std::move(state));
  }
}

void Governor::connect(engine::Port port, std::vector<std::vector<engine::EntityId>> replicas) {
  JOULECAST_CHECK(replicas.size() == pools_.size(), "a governor needs its replicas' ids, one list a pool");
  port_ = port;
  for (std::size_t p = 0; p < pools_.size(); ++p) pools_[p].ids = std::move(replicas[p]);
}

Time Governor::next_point() const {
  Time next = kForever;
  for (const PowerState& power : power_) {
    if (!power.on_the_way.empty()) next = std::min(next, power.on_the_way.front().acts);
  }
  return next;
}

void Governor::at_grid_point(engine::Context& context) {
  const Time now = context.now();
  for (PoolState& pool : pools_) {
    for (std::size_t r = 0; r < pool.now.size(); ++r) pool.now[r] = pool.setup.replicas[r]->state(now);
  }
  for (PoolState& pool : pools_) scale(pool, context);
  for (PoolState& pool : pools_) choose_clocks(pool, now);
  for (PowerState& power : power_) {
    hold_power(power, now);
    put_in_force(power, now);
  }
  for (PoolState& pool : pools_) command(pool, context);
}

void Governor::scale(PoolState& pool, engine::Context& context) {
  if (!pool.setup.scaler || context.now().ns % pool.setup.scaler->period().ns != 0) return;
  std::vector<bool> before;
  for (const control::ReplicaState& replica : pool.now) {
    before.push_back(replica.readiness == control::Readiness::ready || replica.readiness == control::Readiness::loading);
  }
  std::vector<bool> loaded = before;
  pool.setup.scaler->decide(pool.now, context.now(), loaded);
  JOULECAST_CHECK(loaded.size() == before.size(), "a scaler decided on replicas that there are not");
  for (std::size_t r = 0; r < before.size(); ++r) {
    if (loaded[r] == before[r]) continue;
    context.send(port_, pool.ids[r], loaded[r] ? Replica::load : Replica::unload, 0);
    ++pool.counts.scale_changes;
    note(r << 1 | (loaded[r] ? 1U : 0U));
  }
}

void Governor::choose_clocks(PoolState& pool, Time now) {
  if (!pool.setup.clocks || !pool.setup.clocks->period() || now.ns % pool.setup.clocks->period()->ns != 0) return;
  for (std::size_t r = 0; r < pool.now.size(); ++r) pool.clocks[r] = pool.setup.clocks->decide(pool.now[r], pool.at_clock_point[r]);
  pool.at_clock_point = pool.now;
}

/// Reads the meters and lets the controller decide.
void Governor::hold_power(PowerState& power, Time now) {
  control::PowerController& controller = *power.setup.controller;
  if (now.ns % controller.period().ns != 0) return;
  const double seconds = controller.period().seconds();
  std::vector<std::vector<double>> watts(pools_.size());
  for (std::size_t p = 0; p < pools_.size(); ++p) {
    for (std::size_t r = 0; r < pools_[p].now.size(); ++r) {
      watts[p].push_back((pools_[p].now[r].joules - power.joules[p][r]) / seconds);
      power.joules[p][r] = pools_[p].now[r].joules;
    }
  }
  std::vector<double> of_pools;
  for (const std::size_t pool : power.setup.pools) of_pools.push_back(std::accumulate(watts[pool].begin(), watts[pool].end(), 0.0));
  const double drawn = power.setup.meter.it_watts(watts);
  const std::vector<control::PowerSetting> before = power.decided;
  controller.decide({drawn, of_pools}, now, power.decided);
  JOULECAST_CHECK(power.decided.size() == before.size(), "a power controller decided on pools that there are not");
  ++power.counts.decisions;
  power.counts.peak_watts = std::max(power.counts.peak_watts, drawn);
  for (std::size_t i = 0; i < power.slot.size(); ++i) {
    const control::PowerSetting& limit = pools_[power.setup.pools[i]].limits[power.slot[i]];
    if (limit.cap || limit.clock) power.counts.limited_s += seconds;
  }
  if (power.decided == before) return;
  ++power.counts.changes;
  const Time acts = now + controller.latency();
  while (!power.on_the_way.empty() && power.on_the_way.back().acts >= acts) power.on_the_way.pop_back();
  power.on_the_way.push_back({acts, power.decided});
}

void Governor::put_in_force(PowerState& power, Time now) {
  for (; !power.on_the_way.empty() && power.on_the_way.front().acts <= now; power.on_the_way.pop_front()) {
    const Decision& decision = power.on_the_way.front();
    for (std::size_t i = 0; i < power.slot.size(); ++i) pools_[power.setup.pools[i]].limits[power.slot[i]] = decision.settings[i];
  }
}

void Governor::command(PoolState& pool, engine::Context& context) {
  if (pool.setup.points == nullptr) return;
  for (std::size_t r = 0; r < pool.now.size(); ++r) {
    OperatingPoint point = pool.setup.points->point(0);
    if (!pool.clocks.empty()) {
      point.prefill_clock = pool.clocks[r].prefill;
      point.decode_clock = pool.clocks[r].decode;
    }
    for (const control::PowerSetting& limit : pool.limits) {
      if (limit.clock) point.prefill_clock = std::min(point.prefill_clock, *limit.clock);
      if (limit.clock) point.decode_clock = std::min(point.decode_clock, *limit.clock);
      if (limit.cap && (!point.cap || *limit.cap < *point.cap)) point.cap = limit.cap;
    }
    const std::size_t number = pool.setup.points->number_of(point);
    if (number == pool.commanded[r]) continue;
    pool.commanded[r] = number;
    context.send(port_, pool.ids[r], Replica::set_point, number);
    ++pool.counts.clock_changes;
    note(number << 32 | r);
  }
}

void Governor::note(std::uint64_t what) { decisions_hash_ = mix(decisions_hash_, what); }

}  // namespace joulecast::serving
