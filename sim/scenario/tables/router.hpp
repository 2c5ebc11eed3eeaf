#pragma once

#include <optional>
#include <string>

#include "base/quantity.hpp"
#include "config/record.hpp"

namespace joulecast::scenario {

/// `[router]`.
struct RouterTable {
  std::string pool;  ///< "": the replicas of all pools are one list
  std::string replica = "round_robin";
  std::string decode_replica;  ///< "": as `replica`
  std::optional<Seconds> report_period;
  Place place;
};

config::Record<RouterTable> router_record();

}  // namespace joulecast::scenario
