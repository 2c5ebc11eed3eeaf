#include "study/plan_turns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace joulecast::study {

namespace {

constexpr double kJoulesPerKilowattHour = 3.6e6;
/// Fleets that cost the same but for energy meet where energy is free: no turn.
constexpr double kLeastFactor = 1e-6;

struct Crossing {
  double factor;
  std::string to;
};

/// The nearest crossings below and above 1.
class Nearest {
 public:
  void add(double factor, const std::string& to) {
    if (!std::isfinite(factor) || factor < kLeastFactor || factor == 1) return;
    auto& side = factor < 1 ? below_ : above_;
    if (!side || std::abs(factor - 1) < std::abs(side->factor - 1)) side = Crossing{factor, to};
  }
  std::vector<Crossing> both() const {
    std::vector<Crossing> all;
    for (const auto& side : {below_, above_}) {
      if (side) all.push_back(*side);
    }
    return all;
  }

 private:
  std::optional<Crossing> below_, above_;
};

/// A factor on one part of what every fleet costs; `part` of a fleet, money a second.
template <class Part>
Nearest part_crossings(const std::vector<SplitCost>& fleets, Part part) {
  Nearest nearest;
  const SplitCost& a = fleets.front();
  for (std::size_t i = 1; i < fleets.size(); ++i) {
    const SplitCost& b = fleets[i];
    nearest.add(((b.total() - part(b)) - (a.total() - part(a))) / (part(a) - part(b)), b.fleet);
  }
  return nearest;
}

/// A factor on what nodes of one kind cost, by the part of the cost.
Nearest node_crossings(const std::vector<SplitCost>& fleets, const std::string& node, double SplitCost::*part) {
  Nearest nearest;
  const SplitCost& a = fleets.front();
  for (std::size_t i = 1; i < fleets.size(); ++i) {
    const SplitCost& b = fleets[i];
    const double a_part = a.node == node ? a.*part : 0, b_part = b.node == node ? b.*part : 0;
    if (a_part != b_part) nearest.add(1 + (b.total() - a.total()) / (a_part - b_part), b.fleet);
  }
  return nearest;
}

}  // namespace

std::vector<Turn> cost_turns(const std::vector<SplitCost>& fleets, const std::string& currency, std::optional<double> price_per_joule, double pue) {
  std::vector<Turn> turns;
  if (fleets.size() < 2) return turns;
  for (const Crossing& each : part_crossings(fleets, [](const SplitCost& fleet) { return fleet.energy; }).both()) {
    Turn turn{"price of power", "", 1.0, each.factor, each.to, fmt::format("{} is then cheapest", each.to)};
    if (price_per_joule) {
      turn.unit = currency + "/kWh";
      turn.now = *price_per_joule * kJoulesPerKilowattHour;
      turn.at = each.factor * *turn.now;
    }
    turns.push_back(turn);
  }
  for (const Crossing& each : part_crossings(fleets, [](const SplitCost& fleet) { return fleet.energy + fleet.demand; }).both()) {
    if (each.factor * pue >= 1) turns.push_back({"PUE", "", pue, each.factor * pue, each.to, fmt::format("{} is then cheapest", each.to)});
  }
  std::vector<std::string> nodes;
  for (const SplitCost& each : fleets) {
    if (std::find(nodes.begin(), nodes.end(), each.node) == nodes.end()) nodes.push_back(each.node);
  }
  for (const std::string& node : nodes) {
    for (const auto& [word, part] : {std::pair{"rental", &SplitCost::rental}, std::pair{"capital", &SplitCost::capital}}) {
      for (const Crossing& each : node_crossings(fleets, node, part).both()) {
        turns.push_back({fmt::format("{} of {}", word, node), "", 1.0, each.factor, each.to, fmt::format("{} is then cheapest", each.to)});
      }
    }
  }
  return turns;
}

}  // namespace joulecast::study
