#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/quantity.hpp"
#include "config/record.hpp"

namespace joulecast::scenario {

/// `cost = { .. }` of hardware, and `[cluster.NAME]`.
struct CostTable {
  std::optional<config::Priced<MoneyPerSecond>> rental;
  std::optional<config::Priced<Money>> capital;
  std::optional<Seconds> life;
  Place place;
};

struct ClusterTable {
  std::string node;
  std::string gpu;
  std::string fabric;
  std::int64_t nodes = 0;
  std::string site, feed;
  CostTable cost;
  Place place;
};

config::Record<CostTable> cost_record();
config::Record<ClusterTable> cluster_record();

}  // namespace joulecast::scenario
