#include <algorithm>
#include <cmath>
#include <limits>

#include "fit/held_out.hpp"
#include "scenario/run.hpp"

namespace joulecast::scenario {

/// What the choice of pools came to: accuracies of the traffics, believed over attributed joules of the pools.
void Run::read_routing(Result& result) const {
  std::vector<std::size_t>& pool_of_replica = result.pool_of_replica;
  for (std::size_t p = 0; p < pools_.size(); ++p) pool_of_replica.insert(pool_of_replica.end(), pools_[p].replicas.size(), p);
  if (options_.keep_requests) result.believed_joules.resize(traffics_.size());
  std::vector<double> believed(pools_.size(), 0), simulated(pools_.size(), 0);
  std::vector<std::vector<double>> errors(pools_.size());
  for (std::size_t t = 0; t < traffics_.size(); ++t) {
    const Traffic& traffic = scenario_.traffics[t];
    const auto first = traffic.pools.empty() ? std::optional<AccuracyTable>() : scenario_.pools[traffic.pools.front()].accuracy;
    const bool rated = first && std::all_of(traffic.pools.begin(), traffic.pools.end(), [&](std::size_t p) {
                         return scenario_.pools[p].accuracy && scenario_.pools[p].accuracy->per == first->per;
                       });
    auto predictor = this->predictor(traffic);
    double right = 0, all = 0;
    const serving::RequestTable& table = *traffics_[t].table;
    const bool believes =
        std::any_of(traffic.pools.begin(), traffic.pools.end(), [&](std::size_t p) { return scenario_.pools[p].belief.has_value(); });
    if (options_.keep_requests && predictor && believes) result.believed_joules[t].assign(table.size(), std::numeric_limits<double>::quiet_NaN());
    for (std::uint32_t number = 0; number < table.size(); ++number) {
      const auto& [facts, outcome] = table[number];
      if (outcome.fate != serving::Fate::completed) continue;
      const std::size_t p = pool_of_replica[static_cast<std::size_t>(outcome.replica)];
      ++result.pools[p].completed;
      if (rated) {
        const bool per_token = first->per == serving::ModelAccuracy::Per::token;
        const double weight = per_token ? static_cast<double>(facts.input) + outcome.generated : 1;
        right += weight * scenario_.pools[p].accuracy->value.value;
        all += weight;
      }
      if (predictor && scenario_.pools[p].belief) {
        const double joules = scenario_.pools[p].belief->clamped_joules(facts.input, predictor->predict(number, facts.output));
        believed[p] += joules;
        simulated[p] += outcome.joules.units();
        if (outcome.joules.units() > 0) errors[p].push_back(std::abs(joules / outcome.joules.units() - 1));
        if (options_.keep_requests) result.believed_joules[t][number] = joules;
      }
    }
    if (all > 0) result.traffics[t].accuracy = right / all;
    if (rated) result.traffics[t].accuracy_per = first->per == serving::ModelAccuracy::Per::token ? "token" : "request";
  }
  for (std::size_t p = 0; p < pools_.size(); ++p) {
    if (const auto& accuracy = scenario_.pools[p].accuracy) {
      result.pools[p].accuracy = accuracy->value.value;
      result.pools[p].accuracy_per = accuracy->per == serving::ModelAccuracy::Per::token ? "token" : "request";
    }
    if (!(simulated[p] > 0)) continue;
    if (!errors[p].empty()) result.pools[p].belief_median_error = fit::quantile(std::move(errors[p]), 0.5);
    result.pools[p].belief_over_simulated = believed[p] / simulated[p];
    result.pools[p].belief_source = scenario_.pools[p].belief->source;
  }
}

}  // namespace joulecast::scenario
