#include "metering/tariff.hpp"
#include "scenario/run.hpp"

namespace joulecast::scenario {

/// Cost is split between prompt and generated tokens as the GPUs' joules are attributed to them.
void Run::read_money_and_carbon(Result& result, FixedEnergy attributed) const {
  const Joules facility(result.energy.joules[static_cast<int>(metering::Boundary::facility)]);
  const Seconds run(result.horizon_s);
  metering::Tariff tariff;
  Cost cost;
  if (scenario_.site.price) {
    tariff.price = scenario_.site.price->amount;
    cost.currency = scenario_.site.price->currency;
    cost.energy = tariff.energy_cost(facility).si();
    cost.total += *cost.energy;
  }
  for (const Cluster& cluster : scenario_.clusters) {
    if (cluster.cost.rental) {
      cost.currency = cluster.cost.rental->currency;
      cost.rental = cost.rental.value_or(0) + metering::Rental{cluster.cost.rental->amount}.cost(cluster.nodes * cluster.node.gpus, run).si();
    }
    if (cluster.cost.capital) {
      cost.currency = cluster.cost.capital->currency;
      cost.capital = cost.capital.value_or(0) + metering::Capital{cluster.cost.capital->amount, *cluster.cost.life}.cost(cluster.nodes, run).si();
    }
  }
  cost.total += cost.rental.value_or(0) + cost.capital.value_or(0);
  double input = 0, output = 0;
  for (const TrafficResult& traffic : result.traffics) {
    input += static_cast<double>(traffic.input_tokens);
    output += static_cast<double>(traffic.output_tokens);
  }
  FixedEnergy prompt;
  for (const PoolParts& pool : pools_) {
    for (const serving::Replica* replica : pool.replicas) prompt += replica->statistics().prompt_joules;
  }
  if (attributed.raw > 0 && input > 0 && output > 0) {
    const double share = prompt.units() / attributed.units();
    cost.per_million_input = 1e6 * cost.total * share / input;
    cost.per_million_output = 1e6 * cost.total * (1 - share) / output;
  }
  if (!cost.currency.empty()) result.cost = cost;
  if (scenario_.site.carbon) {
    tariff.carbon = *scenario_.site.carbon;
    result.carbon_grams = tariff.emission(facility).si();
  }
}

}  // namespace joulecast::scenario
