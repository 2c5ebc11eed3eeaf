#include "report/terminal_grid.hpp"

#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "report/numbers.hpp"

namespace joulecast::report {

namespace {

constexpr auto kFacility = static_cast<std::size_t>(metering::Boundary::facility);

Cell heading(std::string text) { return {std::move(text), Ink::heading, true}; }

Cell left_cell(const scenario::FeedResult& feed, int digits) {
  const double peak = feed.load.peak_window;
  if (!std::isfinite(peak)) return {std::string(kUnknown), Ink::dim, true};
  const double left = feed.usable_watts - peak;
  if (left >= 0) return {scaled(watts(), left, digits), Ink::good};
  return {"-" + scaled(watts(), -left, digits), Ink::bad};
}

/// "1.23 EUR" of a site's part and what it is per unit of energy.
std::string money(const std::optional<double>& value, const std::string& currency, int digits) {
  return value ? (*value < 0 ? "-" : "") + significant(std::abs(*value), digits) + " " + currency : std::string(kUnknown);
}

std::string per_kwh(const std::optional<double>& value, double joules, const std::string& unit, double scale) {
  if (!value || !(joules > 0)) return std::string(kUnknown);
  const double rate = *value * scale * 3.6e6 / joules;
  return fmt::format("{}{} {}", rate < 0 ? "-" : "", three_digits(std::abs(rate)), unit);
}

}  // namespace

std::string feed_rows(const scenario::Result& result, int digits, const Style& style) {
  if (result.feeds.empty()) return {};
  Table table;
  table.row({words("Feed", Ink::heading), heading("rating"), heading("usable"), heading("mean"), heading("peak 15 min"), heading("window"),
             heading("peak in it"), heading("left")});
  for (const auto& feed : result.feeds) {
    table.row({words("  " + feed.name),
               {scaled(watts(), feed.rating_watts)},
               {scaled(watts(), feed.usable_watts)},
               {scaled(watts(), feed.load.mean, digits)},
               {scaled(watts(), feed.load.peak_900s, digits)},
               {length_of_time(feed.window_s)},
               {scaled(watts(), feed.load.peak_window, digits)},
               left_cell(feed, digits)});
    if (feed.load.over_usable_s > 0) {
      table.remark(fmt::format("    above its usable watts for {}", length_of_time(feed.load.over_usable_s)));
    }
  }
  return table.text(style);
}

std::string site_rows(const scenario::Result& result, int digits, const Style& style) {
  if (result.sites.empty()) return {};
  const std::string currency = result.cost ? result.cost->currency : "";
  Table table;
  table.row({words("Site", Ink::heading), heading("facility"), heading("energy cost"), heading("mean price"), heading("demand charge"),
             heading("CO2e"), heading("mean intensity")});
  for (const auto& site : result.sites) {
    const double joules = site.joules[kFacility];
    table.row({words("  " + site.name),
               {scaled(watt_hours(), joules, digits)},
               {money(site.energy_cost, currency, digits)},
               {per_kwh(site.energy_cost, joules, currency + "/MWh", 1000)},
               {money(site.demand_cost, currency, digits)},
               {site.carbon_grams ? scaled(grams(), *site.carbon_grams, digits) : std::string(kUnknown)},
               {per_kwh(site.carbon_grams, joules, "g/kWh", 1)}});
  }
  return table.text(style);
}

}  // namespace joulecast::report
