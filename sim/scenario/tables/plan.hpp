#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/quantity.hpp"
#include "config/record.hpp"
#include "scenario/tables/cluster.hpp"

namespace joulecast::scenario {

/// What the headline fleet has least of.
enum class Minimise : std::uint8_t { cost, energy, gpus };

struct SurviveTable {
  std::int64_t nodes = 0;
};

/// `[plan.limits]`: what no fleet may exceed.
struct PlanLimits {
  std::optional<Watts> power;  ///< of the whole fleet at `it` and the grown load, the largest mean of 15 min
  std::optional<std::int64_t> nodes, gpus;
  std::optional<config::Priced<MoneyPerSecond>> cost;
  std::optional<Grams> carbon;  ///< a month, of the energy alone
  Place place;
};

/// `[plan.cost.NODE]`: what such nodes cost.
struct PlanCost {
  std::optional<config::Priced<MoneyPerSecond>> rental;
  std::optional<config::Priced<Money>> capital;
  std::optional<Seconds> life;
  std::optional<Grams> embodied_carbon;  ///< of a GPU
  Place place;

  CostTable table() const { return {rental, capital, life, place}; }
};

/// A key and the values to choose from: a plain key is the pool's, one with dots the file's.
struct PlanChoice {
  std::string key;
  std::vector<config::Node> values;
  Place place;
};

/// `[plan]`: which fleet to buy. A run leaves it alone.
struct PlanTable {
  Minimise minimise = Minimise::cost;
  double growth = 1;
  SurviveTable survive;
  config::Share confidence{0.95};
  std::vector<PlanChoice> choose;  ///< in the order of the file
  PlanLimits limits;
  config::NamedTables<PlanCost> cost;
  Place place;
};

config::Record<PlanTable> plan_record();

}  // namespace joulecast::scenario
