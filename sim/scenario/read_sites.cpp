#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/format.hpp"
#include "metering/demand_charge.hpp"
#include "scenario/run.hpp"
#include "traces/grid/zone.hpp"

namespace joulecast::scenario {

namespace {

constexpr auto kFacility = static_cast<std::size_t>(metering::Boundary::facility);

/// A run that went on past its duration reads the last value of a series on for as long as that one lasted; further it may not go.
void check_covered(const Site& site, const char* what, const SiteRate& rate, Time end, std::vector<std::string>& notes) {
  const Time known = rate.signal->covered_until();
  if (end <= known) return;
  const Span over = end - known, last{rate.series->end_ns - rate.series->start_ns.back()};
  const std::string length = duration_text(over.seconds());
  if (over <= last) {
    notes.push_back(fmt::format("{} of site \"{}\": the run went on for {} past the series' end; the last value goes on", what, site.name, length));
    return;
  }
  throw UserError(rate.written.place, fmt::format("the {} of site \"{}\" ended {} before the run did", what, site.name, length),
                  "give a longer series, write repeat = true, or at_end = \"cut\"");
}

/// The integral of a rate over a site's facility energy.
double charged(const SiteRate& rate, const metering::SiteAccount& account, Time end) {
  if (rate.signal->is_constant()) return account.joules[kFacility] * rate.signal->at(Time{0});
  return account.pue * metering::integral(account.it, rate.signal->steps(end));
}

/// The calendar months of a run at a site; without a start, months of 365/12 days from its beginning on.
std::vector<metering::BillingPeriod> months(const Scenario& scenario, const Site& site, Time end) {
  constexpr std::int64_t mean_month = std::int64_t{365} * 86400 * 1'000'000'000 / 12;
  std::vector<metering::BillingPeriod> periods;
  if (!scenario.start) {
    for (std::int64_t from = 0; from < end.ns; from += mean_month) {
      const std::int64_t to = std::min(from + mean_month, end.ns);
      periods.push_back({Time{from}, Time{to}, static_cast<double>(to - from) / static_cast<double>(mean_month)});
    }
    return periods;
  }
  const traces::Zone zone = traces::Zone::find(site.timezone.empty() ? "UTC" : site.timezone, {});
  const std::int64_t begin = scenario.start->ns;
  for (std::int64_t from = 0; from < end.ns;) {
    const std::int64_t month = zone.month_begin(begin + from), next = zone.next_month_begin(begin + from);
    const std::int64_t to = std::min(next - begin, end.ns);
    periods.push_back({Time{from}, Time{to}, static_cast<double>(to - from) / static_cast<double>(next - month)});
    from = to;
  }
  return periods;
}

double demand_cost(const Scenario& scenario, const Site& site, const metering::SiteAccount& account, Time end) {
  metering::BinnedPower facility = account.it;
  for (double& watts : facility.watts) watts *= account.pue;
  // Quarter hours of the clock: zones' offsets are whole quarter hours.
  const Time grid{scenario.start ? -(scenario.start->ns % metering::kDemandWindow.ns) : 0};
  const Money money = metering::demand_charge(facility, months(scenario, site, end), grid, site.demand_charge->rate);
  return money.si() * scenario.currency.rate(site.demand_charge->currency).value_or(1);
}

/// Adds a site's part to a sum over sites.
void add(std::optional<double>& sum, const std::optional<double>& part) {
  if (part) sum = sum ? *sum + *part : *part;
}

}  // namespace

/// Energy cost, demand charges and carbon, a site and in all. What some site with hardware does not state has no sum.
void Run::read_sites(Result& result, Time end) const {
  if (scenario_.start) result.start = scenario_.start->text();
  Cost cost;
  std::string no_price, no_carbon;
  for (std::size_t s = 0; s < scenario_.sites.size(); ++s) {
    const Site& site = scenario_.sites[s];
    const metering::SiteAccount& account = result.energy.sites[s];
    SiteResult& entry = result.sites.emplace_back();
    entry.name = site.name;
    entry.joules = account.joules;
    for (const Cluster& cluster : scenario_.clusters) {
      if (cluster.site == s) entry.clusters.push_back(cluster.name);
    }
    if (site.price) {
      check_covered(site, "price", *site.price, end, result.notes);
      entry.energy_cost = charged(*site.price, account, end);
      entry.price_varies = !site.price->signal->is_constant();
    }
    if (site.carbon) {
      check_covered(site, "carbon", *site.carbon, end, result.notes);
      entry.carbon_grams = charged(*site.carbon, account, end);
      entry.carbon_varies = !site.carbon->signal->is_constant();
    }
    if (site.demand_charge && end.ns > 0) entry.demand_cost = demand_cost(scenario_, site, account, end);
    if (entry.clusters.empty()) continue;
    if (!site.price) no_price = site.name;
    if (!site.carbon) no_carbon = site.name;
    add(cost.energy, entry.energy_cost);
    add(cost.demand, entry.demand_cost);
    add(result.carbon_grams, entry.carbon_grams);
  }
  if (!no_price.empty() && cost.energy) {
    result.notes.push_back(fmt::format("site \"{}\" states no price: there is no cost of energy in all, and the total is without it", no_price));
    cost.energy.reset();
  }
  if (!no_carbon.empty() && result.carbon_grams) {
    result.notes.push_back(fmt::format("site \"{}\" states no carbon: there is no sum of carbon", no_carbon));
    result.carbon_grams.reset();
  }
  if (cost.energy || cost.demand) result.cost = cost;
  const bool plain = result.sites.size() == 1 && !result.sites[0].price_varies && !result.sites[0].carbon_varies && !result.sites[0].demand_cost;
  if (plain) result.sites.clear();
}

void Run::read_feeds(Result& result) const {
  const auto first = static_cast<std::size_t>((warmup_.ns + span_from_seconds(scenario_.bin.si()).ns - 1) / span_from_seconds(scenario_.bin.si()).ns);
  for (std::size_t f = 0; f < scenario_.feeds.size(); ++f) {
    const Feed& feed = scenario_.feeds[f];
    result.feeds.push_back({feed.name, scenario_.sites[feed.site].name, feed.rating.si(), feed.usable().si(), feed.window.si(),
                            metering::feed_load(result.energy.feeds[f], first, span_from_seconds(feed.window.si()), feed.usable())});
  }
}

}  // namespace joulecast::scenario
