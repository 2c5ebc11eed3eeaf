#pragma once

#include <memory>
#include <optional>

#include "base/quantity.hpp"
#include "config/diagnostics.hpp"
#include "config/record.hpp"
#include "serving/pool_routing.hpp"

namespace joulecast::policy {

struct SloEnergyParameters {
  std::optional<Seconds> ttft, tpot;  ///< absent: the traffic's
  double margin = 0.1;
};
config::Record<SloEnergyParameters> slo_energy_record();

/// Of the pools whose predicted TTFT and TPOT hold the limits, less a margin, the one to whose energy a request adds least. Both are predicted from what
/// is believed of a replica's steps (control::ServiceBelief, profiled before the run) and from the pool's load, spread evenly over its replicas: with n
/// running requests of the traffic's mean context, w prompt tokens waiting and x the request's own,
///
///   TTFT = network + prompt seconds of w + x, and a decode step
///   TPOT = seconds of a decode step of n + 1 sequences
///   added energy = ServiceBelief::added_joules
///
/// Added energy is what a full and an idle pool differ in: a decode step reads the weights once for all, so a request that joins others costs a fraction of
/// what it costs alone. Where no pool holds the limits, the one whose worse ratio of prediction to limit is the lowest. Among equals the first pool.
std::unique_ptr<serving::PoolRouter> make_slo_energy(const SloEnergyParameters& parameters, const serving::PoolChoice& choice);

/// Neither limit stated is a fault; a pool that holds them not even when idle, for the mean request, is noted.
void check_slo_energy(const SloEnergyParameters& parameters, const serving::PoolChoice& choice, const Place& place, config::Diagnostics& diagnostics);

}  // namespace joulecast::policy
