#include "scenario/resolver.hpp"

namespace joulecast::scenario {

void Resolver::site() {
  if (file_.site.size() > 1) {
    diagnostics_.error(file_.site[1].second.place, "more than one site is not yet supported", "keep one [site.NAME]");
  }
  if (file_.site.empty()) {
    diagnostics_.error({}, "the scenario has no site", "add [site.NAME] with pue = 1.25 (facility energy over IT energy); there is no default");
    return;
  }
  scenario_.site_name = file_.site.front().first;
  scenario_.site = file_.site.front().second;
}

void Resolver::currencies() {
  std::string first;
  const auto same = [&](const std::string& currency, const Place& place) {
    if (first.empty()) first = currency;
    if (currency != first) {
      diagnostics_.error(place, "costs are in " + first + " and in " + currency, "write all of them in one currency");
    }
  };
  if (scenario_.site.price) same(scenario_.site.price->currency, scenario_.site.place);
  for (const Cluster& cluster : scenario_.clusters) {
    if (cluster.cost.rental) same(cluster.cost.rental->currency, cluster.cost.place);
    if (cluster.cost.capital) same(cluster.cost.capital->currency, cluster.cost.place);
  }
}

}  // namespace joulecast::scenario
