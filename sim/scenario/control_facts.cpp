#include "scenario/control_facts.hpp"

#include <algorithm>

#include "scenario/costs.hpp"
#include "serving/clock_sweep.hpp"

namespace joulecast::scenario {
namespace {

/// Clocks of a profile's sweep, and the lowest of them over the highest.
constexpr std::size_t kProfiledClocks = 12;
constexpr double kLowestShare = 0.4;

template <class Seconds>
void tighten(std::optional<double>& limit, const std::optional<Seconds>& stated) {
  if (stated && (!limit || stated->si() < *limit)) limit = stated->si();
}

}  // namespace

bool serves(const Traffic& traffic, std::size_t pool) {
  const auto in = [&](const std::vector<std::size_t>& pools) { return std::find(pools.begin(), pools.end(), pool) != pools.end(); };
  return in(traffic.pools) || in(traffic.decode_pools);
}

control::ClockFacts clock_facts(const Scenario& scenario, std::size_t pool) {
  const Pool& described = scenario.pools[pool];
  const auto& clocks = scenario.clusters[described.cluster].gpu.clocks;
  control::ClockFacts facts;
  facts.pool = described.name;
  facts.given = {clocks.reference.value, clocks.reference.value};
  facts.max_num_seqs = described.engine.folded().max_num_seqs;
  for (const Traffic& traffic : scenario.traffics) {
    if (!traffic.slo || !serves(traffic, pool)) continue;
    tighten(facts.limits.ttft_s, traffic.slo->ttft);
    tighten(facts.limits.tpot_s, traffic.slo->tpot);
  }
  return facts;
}

control::ClockBelief clock_belief(const Scenario& scenario, std::size_t pool) {
  const Pool& described = scenario.pools[pool];
  const hardware::GpuProfile& gpu = scenario.clusters[described.cluster].gpu;
  std::vector<Hertz> clocks;
  for (const Hertz clock : gpu.clock_list()) {
    if (clock >= kLowestShare * gpu.clocks.highest.value && clock <= gpu.clocks.reference.value) clocks.push_back(clock);
  }
  std::vector<Hertz> chosen;
  const std::size_t count = std::min(kProfiledClocks, clocks.size());
  for (std::size_t i = 0; i < count; ++i) chosen.push_back(clocks[count == 1 ? clocks.size() - 1 : i * (clocks.size() - 1) / (count - 1)]);
  // Costs of their own: what the sweep asked for leaves no trace in the run's provenance.
  const auto costs = pool_costs(scenario, described);
  return serving::clock_sweep(*costs, operating_point(scenario, described), described.engine.folded(), chosen);
}

control::ScalingFacts scaling_facts(const Scenario& scenario, std::size_t pool) {
  const Pool& described = scenario.pools[pool];
  const auto& idle = scenario.clusters[described.cluster].gpu.idle;
  return {described.name, described.replicas, described.engine.folded().max_num_seqs, idle.context.value, idle.bare.value};
}

control::PowerFacts power_facts(const Scenario& scenario, std::size_t site, std::optional<std::size_t> feed, std::vector<std::size_t>& pools) {
  control::PowerFacts facts;
  facts.place = feed ? "feed \"" + scenario.feeds[*feed].name + "\"" : "site \"" + scenario.sites[site].name + "\"";
  if (feed) facts.usable = scenario.feeds[*feed].usable();
  facts.signals = scenario.sites[site].signals();
  facts.currency = scenario.currency.base;
  pools.clear();
  for (std::size_t p = 0; p < scenario.pools.size(); ++p) {
    const Pool& pool = scenario.pools[p];
    const Cluster& cluster = scenario.clusters[pool.cluster];
    if (feed ? cluster.feed != feed : cluster.site != site) continue;
    pools.push_back(p);
    const auto& gpu = cluster.gpu;
    facts.pools.push_back({pool.name, pool.priority, gpu.clocks.lowest.value, gpu.clocks.highest.value, gpu.power_limit.least.value,
                           pool.power_limit.value_or(gpu.power_limit.standard.value), std::int64_t{pool.replicas} * pool.gpus_per_replica()});
  }
  return facts;
}

}  // namespace joulecast::scenario
