#include "metering/tariff.hpp"
#include "scenario/run.hpp"

namespace joulecast::scenario {

namespace {

/// Adds what the hardware costs; `rate` turns a currency into the scenario's.
void add_hardware(Cost& cost, const Scenario& scenario, Seconds run) {
  for (const Cluster& cluster : scenario.clusters) {
    const auto rate = [&](const std::string& currency) { return scenario.currency.rate(currency).value_or(1); };
    if (const auto& rental = cluster.cost.rental) {
      const Money money = metering::Rental{rental->amount}.cost(cluster.nodes * cluster.node.gpus, run);
      cost.rental = cost.rental.value_or(0) + rate(rental->currency) * money.si();
    }
    if (const auto& capital = cluster.cost.capital) {
      const Money money = metering::Capital{capital->amount, *cluster.cost.life}.cost(cluster.nodes, run);
      cost.capital = cost.capital.value_or(0) + rate(capital->currency) * money.si();
    }
  }
}

}  // namespace

/// Cost is split between prompt and generated tokens as the GPUs' joules are attributed to them. The sites have been read.
void Run::read_money(Result& result, FixedEnergy attributed) const {
  if (scenario_.currency.base.empty()) return;
  Cost cost = result.cost.value_or(Cost{});
  cost.currency = scenario_.currency.base;
  add_hardware(cost, scenario_, Seconds(result.horizon_s));
  if (!cost.energy && !cost.demand && !cost.rental && !cost.capital) return;
  cost.total = cost.energy.value_or(0);
  if (cost.demand) cost.total += *cost.demand;
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
  result.cost = cost;
}

}  // namespace joulecast::scenario
