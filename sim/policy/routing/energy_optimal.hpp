#pragma once

#include <memory>

#include "policy/routing/energy_aware.hpp"

namespace joulecast::policy {

config::Record<EnergyAwareParameters> energy_optimal_record();

/// The whole workload's optimum of Wilkins, Keshav and Mortier, "Offline Energy-Optimal LLM Serving" (HotCarbon 2024): the assignment of all requests q
/// to models k with the least
///
///   sum_q zeta(t_q) e_k(q)/E - (1 - zeta(t_q)) a_k(q)/A
///
/// whose counts keep the bounds on shares, each to within one request (at_least n rounded down, at_most n rounded up). e, a, E and A are those of
/// `energy_aware`; among equal sums less joules, then earlier pools. Of several pools with one model a request takes the one with the least e_k there.
///
/// It is offline: before the run it is told of every request that will come, with its prompt, its predicted answer (`length_prediction`) and when. It
/// is the bound that online policies are held against, blind to load: nothing in the sum waits. The problem is a transportation problem with one sink a
/// model and is solved exactly (share_assignment.hpp).
std::unique_ptr<serving::PoolRouter> make_energy_optimal(const EnergyAwareParameters& parameters, const serving::PoolChoice& choice);

}  // namespace joulecast::policy
