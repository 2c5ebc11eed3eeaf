#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "config/diagnostics.hpp"
#include "config/record.hpp"
#include "serving/pool_routing.hpp"

namespace joulecast::policy {

struct LengthThresholdParameters {
  enum class Of : std::uint8_t { input, output, total };
  std::int64_t tokens = 0;
  Of of = Of::input;
  std::string below, above;
};
config::Record<LengthThresholdParameters> length_threshold_record();

/// Requests of at most `tokens` tokens go to the model `below`, longer ones to `above`; of several pools with that model to the one with the fewest
/// outstanding requests a replica. With tokens = 32 it is the workload-aware rule of Wilkins, Keshav and Mortier, "Hybrid Heterogeneous Clusters Can
/// Lower the Energy Consumption of LLM Inference Workloads" (e-Energy 2024). Output lengths are predictions.
///
/// Reports a model that none of the traffic's pools has, at `place`.
std::unique_ptr<serving::PoolRouter> make_length_threshold(const LengthThresholdParameters& parameters, const serving::PoolChoice& choice,
                                                           const Place& place, config::Diagnostics& diagnostics);

}  // namespace joulecast::policy
