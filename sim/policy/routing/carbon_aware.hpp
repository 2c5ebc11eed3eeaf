#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/quantity.hpp"
#include "config/diagnostics.hpp"
#include "config/record.hpp"
#include "serving/pool_routing.hpp"

namespace joulecast::policy {

struct CarbonAwareParameters {
  std::string energy_model = "fitted";
  std::int64_t profile_batch = 1;
  std::string out_of_range = "refuse";
  std::optional<std::int64_t> max_outstanding;
  std::optional<Seconds> max_network_latency;
};
config::Record<CarbonAwareParameters> carbon_aware_record();

/// Of the pools that a request may go to the one with the least believed grams of CO2e: e_k(q) x PUE of its site x the site's carbon intensity at this
/// instant. A pool with max_outstanding waiting and running requests a replica takes no more while another has room; where none has, the least loaded
/// takes it. Sites further away than max_network_latency are never used. Among equals less joules, then the first pool.
std::unique_ptr<serving::PoolRouter> make_carbon_aware(const CarbonAwareParameters& parameters, const serving::PoolChoice& choice);

/// A site without carbon intensity, no site that is near enough, faulty beliefs; one site for all pools is noted, because then joules alone decide.
void check_carbon_aware(const CarbonAwareParameters& parameters, const serving::PoolChoice& choice, const Place& place,
                        config::Diagnostics& diagnostics);

}  // namespace joulecast::policy
