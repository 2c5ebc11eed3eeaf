#include "scenario/pool_choice.hpp"

namespace joulecast::scenario {

serving::PoolChoice pool_choice(const Scenario& scenario, const Traffic& traffic) {
  serving::PoolChoice choice;
  choice.traffic = traffic.name;
  for (const std::size_t index : traffic.pools) {
    const Pool& pool = scenario.pools[index];
    serving::PoolFacts facts{pool.name, pool.model_name, pool.engine.max_num_batched_tokens, std::nullopt, pool.belief};
    const Site& site = scenario.sites[scenario.clusters[pool.cluster].site];
    facts.site = site.signals();
    facts.pue = site.pue;
    facts.network_s = site.network_latency.si();
    facts.service = pool.service;
    if (pool.accuracy) facts.accuracy = {pool.accuracy->value.value, pool.accuracy->per};
    choice.pools.push_back(std::move(facts));
  }
  for (const Pool& pool : scenario.pools) choice.known_models.push_back(pool.model_name);
  if (traffic.length_facts) {
    choice.lengths = traffic.length_facts->range;
    choice.mean_input = traffic.length_facts->mean_input;
    choice.mean_output = traffic.length_facts->mean_output;
  }
  if (scenario.duration) choice.horizon = Time{span_from_seconds(scenario.duration->si()).ns};
  if (traffic.slo && traffic.slo->ttft) choice.ttft_s = traffic.slo->ttft->si();
  if (traffic.slo && traffic.slo->tpot) choice.tpot_s = traffic.slo->tpot->si();
  choice.closed_loop = !traffic.trace && traffic.arrivals.process == traces::Arrivals::Process::closed;
  return choice;
}

}  // namespace joulecast::scenario
