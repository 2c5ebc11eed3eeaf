#include "scenario/pool_choice.hpp"

namespace joulecast::scenario {

serving::PoolChoice pool_choice(const Scenario& scenario, const Traffic& traffic) {
  serving::PoolChoice choice;
  choice.traffic = traffic.name;
  for (const std::size_t index : traffic.pools) {
    const Pool& pool = scenario.pools[index];
    serving::PoolFacts facts{pool.name, pool.model_name, pool.engine.max_num_batched_tokens, std::nullopt, pool.belief};
    if (pool.accuracy) facts.accuracy = {pool.accuracy->value.value, pool.accuracy->per};
    choice.pools.push_back(std::move(facts));
  }
  for (const Pool& pool : scenario.pools) choice.known_models.push_back(pool.model_name);
  if (traffic.length_facts) {
    choice.lengths = traffic.length_facts->range;
    choice.mean_input = traffic.length_facts->mean_input;
    choice.mean_output = traffic.length_facts->mean_output;
  }
  return choice;
}

}  // namespace joulecast::scenario
