#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/quantity.hpp"
#include "config/record.hpp"
#include "control/power_controller.hpp"
#include "scenario/tables/cluster.hpp"
#include "serving/engine_config.hpp"

namespace joulecast::scenario {

/// `[pool.NAME]`.
struct ClockTable {
  std::optional<Hertz> prefill, decode;  ///< both absent: "auto", the profile's highest clock, or
  std::string policy;                    ///< who chooses them
};

struct PoolTable {
  std::string cluster, node, gpu;
  std::string model;
  std::string engine;
  std::int64_t tensor_parallel_size = 1;
  std::int64_t replicas = 1;
  serving::KvRole role = serving::KvRole::both;
  ClockTable sm_clock;
  std::optional<Watts> gpu_power_limit;  ///< absent: "default", the profile's
  double speed_factor = 1;
  std::string measured;                       ///< path of measured steps, "": none
  std::string scaling;                        ///< who loads and unloads replicas; "": nobody
  std::optional<control::Priority> priority;  ///< absent: its traffics'
  CostTable cost;
  Place place;
};

config::Record<PoolTable> pool_record();

}  // namespace joulecast::scenario
