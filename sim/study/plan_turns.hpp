#pragma once

#include <optional>
#include <string>
#include <vector>

namespace joulecast::study {

struct Plan;

/// A value of an input at which another fleet becomes the cheapest, or the cheapest has to change.
struct Turn {
  std::string input;  ///< "price of power", "PUE", "rental of dgx-h100", "growth", "tpot of chat"
  std::string unit;   ///< "USD/kWh", "s", ..; "" of a factor
  std::optional<double> now;
  double at = 0;
  std::string to;          ///< the fleet that is then cheapest; "" where it is the same kind with another number of nodes
  std::string what;        ///< one clause for people
  bool simulated = false;  ///< from simulated runs; else in closed form from the fleets' cost rates
};

/// A fleet's cost, split by what moves it; money a second.
struct SplitCost {
  std::string fleet, node;  ///< the node with its GPU where that is chosen
  double energy = 0, rental = 0, capital = 0, demand = 0;
  double total() const { return energy + rental + capital + demand; }
};

/// Where the first of `fleets` stops being the cheapest when one input changes alone and fleets stay as large: the cost is linear in each, so the crossing of
/// a = cost of the first and b = of another in a factor k on a part is k = ((b - b_part) - (a - a_part)) / (a_part - b_part), where the part is the energy for
/// the price of power and the energy with the demand charge for PUE, which scales both; and in one on the rental
/// (capital) of one kind of nodes k = 1 + (b - a) / rental of the first, or 1 - (b - a) / rental of the other. The nearest crossing on each side of 1 is
/// reported. `price`: constant price of power a joule, where there is one; `pue` of the site.
std::vector<Turn> cost_turns(const std::vector<SplitCost>& fleets, const std::string& currency, std::optional<double> price_per_joule, double pue);

}  // namespace joulecast::study
