#include "scenario/tables/site.hpp"

#include <string_view>

#include "traces/grid/zone.hpp"

namespace joulecast::scenario {

using config::Bounds;
using config::Diagnostics;
using config::Node;
using config::Record;

namespace {

constexpr std::string_view kMonth = "/month";

/// A series where the node is a table, else false and the constant is for the caller to read.
bool read_series(RateTable& rate, const Node& node, Diagnostics& diagnostics) {
  rate.place = node.place();
  if (node.as<config::Table>() == nullptr) return false;
  rate.series = traces::series_record().read(node, diagnostics);
  return true;
}

void read_price(SiteTable& site, const Node& node, Diagnostics& diagnostics) {
  RateTable rate;
  if (!read_series(rate, node, diagnostics)) {
    const auto price = config::Reads<config::Priced<MoneyPerJoule>>::read(node, diagnostics, "price");
    if (!price) return;
    if (!price->per.empty()) diagnostics.error(node.place(), "a price of energy is not per " + price->per, "write it as \"0.08 USD/kWh\"");
    rate.constant = price->amount.si();
    rate.currency = price->currency;
  }
  site.price = std::move(rate);
}

void read_carbon(SiteTable& site, const Node& node, Diagnostics& diagnostics) {
  RateTable rate;
  if (!read_series(rate, node, diagnostics)) {
    const auto carbon = config::Reads<GramsPerJoule>::read(node, diagnostics, "carbon");
    if (!carbon) return;
    if (carbon->si() < 0) diagnostics.error(node.place(), "a carbon intensity below 0", "write for example \"380 g/kWh\"");
    rate.constant = carbon->si();
  }
  site.carbon = std::move(rate);
}

void read_demand_charge(SiteTable& site, const Node& node, Diagnostics& diagnostics) {
  constexpr config::Dimension money_per_power{{-1, 1, 0, 0, 1, 0}};
  const auto* text = node.as<std::string>();
  if (text != nullptr && text->ends_with(kMonth)) {
    Diagnostics unheard;
    const auto measured = config::parse_measured(text->substr(0, text->size() - kMonth.size()), money_per_power, node.place(), unheard);
    if (measured && measured->per.empty() && measured->si >= 0) {
      site.demand_charge = DemandTable{metering::MoneyPerWatt(measured->si), measured->currency, node.place()};
      return;
    }
  }
  diagnostics.error(node.place(),
                    "demand_charge is no money per power and month, read " + (text != nullptr ? config::quoted(*text) : config::write(node)),
                    "write for example \"12 EUR/kW/month\"");
}

void check_zone(const SiteTable& site, const Place& place, Diagnostics& diagnostics) {
  if (site.timezone.empty()) return;
  try {
    traces::Zone::find(site.timezone, place);
  } catch (const UserError& error) {
    for (const UserFault& fault : error.faults()) diagnostics.error(fault.place, fault.what, fault.remedy);
  }
}

}  // namespace

Record<SiteTable> site_record() {
  Record<SiteTable> record("site");
  record.place(&SiteTable::place)
      .required("pue", &SiteTable::pue, Bounds::between(1, 10), "facility energy over IT energy")
      .optional("timezone", &SiteTable::timezone, "", Bounds::any(), "IANA zone of local times and billing months: \"Europe/Berlin\"")
      .custom("price", "money per energy, or a series { file, format, .. }", "absent: no cost of energy",
              "price of energy, constant: \"0.08 USD/kWh\", or a file of prices; it may be negative", read_price)
      .custom("carbon", "emission per energy, or a series { file, format, .. }", "absent: no carbon",
              "carbon intensity, constant: \"380 g/kWh\", or a file of intensities", read_carbon)
      .custom("demand_charge", "money per power and month", "absent: none",
              "for the highest quarter hour of the facility in a calendar month, in proportion to the part of the month that the run covers: "
              "\"12 EUR/kW/month\"",
              read_demand_charge)
      .optional("network_latency", &SiteTable::network_latency, "\"0 s\"", Bounds::between(0, 10),
                "from the routers to the site and back: what it adds to TTFT and E2E; a request is on the way for all of it")
      .optional("power_policy", &SiteTable::power_policy, "none", Bounds::any(),
                "the policy that holds the power of all that stands here: a [policy] table or a registered name")
      .check(check_zone);
  return record;
}

}  // namespace joulecast::scenario
