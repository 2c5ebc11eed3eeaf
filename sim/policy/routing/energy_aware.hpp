#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "config/diagnostics.hpp"
#include "config/record.hpp"
#include "policy/routing/zeta.hpp"
#include "serving/pool_routing.hpp"

namespace joulecast::policy {

/// Bounds on a model's share of a traffic's requests.
struct ShareBounds {
  std::string model;
  double at_least = 0, at_most = 1;
  Place place;
};

struct EnergyAwareParameters {
  ZetaSetting zeta;
  std::string energy_model = "fitted";
  std::int64_t profile_batch = 1;
  std::vector<ShareBounds> shares;
  std::int64_t share_slack = 20;
  double queue_weight = 0.1;
  std::string out_of_range = "refuse";
};
config::Record<EnergyAwareParameters> energy_aware_record();
/// The keys that the offline `energy_optimal` has too: zeta, energy_model, profile_batch, shares, out_of_range.
config::Record<EnergyAwareParameters> energy_trade_record(const std::string& title);

/// Energy-optimal routing after Wilkins, Keshav and Mortier, "Offline Energy-Optimal LLM Serving" (HotCarbon 2024): of the pools k that a request q
/// may go to the one with the least
///
///   zeta(t) e_k(q)/E - (1 - zeta(t)) a_k(q)/A + queue_weight w_k + p_k
///
/// e_k: what is believed of its joules there; a_k: the model's accuracy, times the tokens where it is stated per token; E and A: the largest e_k and
/// a_k of the traffic's mean lengths, so both terms are near 1; w_k: prompt tokens that wait in the pool, in full steps (max_num_batched_tokens) a
/// replica; p_k: the price of its model's share. Among equals the least e_k, then the first pool. Output lengths are predictions.
///
/// The paper assigns a whole workload at once; this one decides as requests come. Where no bound on shares binds and queue_weight is 0 the sum falls
/// apart into requests and the two are the same. Bounds hold at every moment to within `share_slack` requests. Inside that slack a model's price is
/// its requests above `at_most`, or minus those it lacks of `at_least`, over the slack: it settles where the share is met, so that, as in the whole
/// workload's optimum, the requests that gain most by a model get it. With a slack of 1 they are those that come when the share has room.
std::unique_ptr<serving::PoolRouter> make_energy_aware(const EnergyAwareParameters& parameters, const serving::PoolChoice& choice);

/// What is wrong with these parameters for a traffic's choice, reported at `place`: shares that cannot be met, accuracies of two kinds, the trap of
/// the constant accuracy (shares that leave no freedom and one accuracy a request: zeta does nothing), beliefs asked outside their range or negative
/// inside the traffic's lengths (refused, or noted where out_of_range = "clamp"). Every pool of the choice has its accuracy and its belief.
void check_energy_aware(const EnergyAwareParameters& parameters, const serving::PoolChoice& choice, const Place& place,
                        config::Diagnostics& diagnostics);

}  // namespace joulecast::policy
