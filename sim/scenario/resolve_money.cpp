#include <fmt/format.h>

#include "scenario/resolver.hpp"

namespace joulecast::scenario {

/// Every amount of money must be in the base, or have a rate to it; without [currency] the first that is met is the base.
void Resolver::currencies() {
  scenario_.currency = file_.currency;
  CurrencyTable& table = scenario_.currency;
  const bool stated = !table.base.empty();
  const auto check = [&](const std::string& currency, const std::string& of, const Place& place) {
    if (table.base.empty()) table.base = currency;
    if (table.rate(currency)) return;
    diagnostics_.error(place, fmt::format("costs are in {} and, {}, in {}, and no rate is stated", table.base, of, currency),
                       stated ? fmt::format("add {} = \"1.08 {}\" to [currency]", currency, table.base)
                              : fmt::format("write all in one currency, or add [currency] with base = \"{}\" and {} = \"1.08 {}\"", table.base,
                                            currency, table.base));
  };
  for (const Site& site : scenario_.sites) {
    if (site.price) check(site.price->currency(), fmt::format("the price of site \"{}\"", site.name), site.price->written.place);
    if (site.demand_charge) {
      check(site.demand_charge->currency, fmt::format("the demand charge of site \"{}\"", site.name), site.demand_charge->place);
    }
  }
  for (const Cluster& cluster : scenario_.clusters) {
    if (cluster.cost.rental) check(cluster.cost.rental->currency, fmt::format("the rental of \"{}\"", cluster.name), cluster.cost.place);
    if (cluster.cost.capital) check(cluster.cost.capital->currency, fmt::format("the capital of \"{}\"", cluster.name), cluster.cost.place);
  }
}

}  // namespace joulecast::scenario
