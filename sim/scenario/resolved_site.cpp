#include "scenario/resolved.hpp"

namespace joulecast::scenario {

namespace {

TomlWriter series(const traces::SeriesOptions& options) {
  TomlWriter writer;
  writer.text("file", absolute(traces::series_path(options))).text("format", options.format);
  const auto text = [&](const char* key, const std::string& value) {
    if (!value.empty()) writer.text(key, value);
  };
  text("location", options.location);
  if (options.sequence) writer.number("sequence", *options.sequence);
  text("factor", options.factor);
  text("unit", options.unit);
  text("timezone", options.timezone);
  text("time", options.time_column);
  text("value", options.value_column);
  constexpr const char* orders[] = {"ymd", "dmy", "mdy"};
  if (options.date_order) writer.text("date_order", orders[static_cast<std::size_t>(*options.date_order)]);
  text("interval", options.interval);
  if (options.resolution) writer.quantity("resolution", options.resolution->si(), "s");
  constexpr const char* gaps[] = {"error", "hold", "interpolate"};
  writer.text("gaps", gaps[static_cast<std::size_t>(options.gaps)]).flag("repeat", options.repeat).text("torn_last_row", options.torn_last_row);
  return writer;
}

void put(TomlWriter& site, const char* key, const std::optional<SiteRate>& rate, const std::string& unit) {
  if (!rate) return;
  if (rate->written.series) {
    site.table(key, series(*rate->written.series));
  } else {
    site.quantity(key, rate->written.constant, unit);
  }
}

}  // namespace

TomlWriter resolved_currency(const CurrencyTable& currency) {
  TomlWriter writer;
  writer.text("base", currency.base);
  for (const auto& [name, rate] : currency.rates) writer.quantity(name, rate, currency.base);
  return writer;
}

TomlWriter resolved_site(const Site& site) {
  TomlWriter writer;
  writer.real("pue", site.pue);
  if (!site.timezone.empty()) writer.text("timezone", site.timezone);
  put(writer, "price", site.price, site.price ? site.price->written.currency + "/J" : "");
  put(writer, "carbon", site.carbon, "g/J");
  if (site.demand_charge) writer.quantity("demand_charge", site.demand_charge->rate.si(), site.demand_charge->currency + "/W/month");
  if (site.network_latency.si() > 0) writer.quantity("network_latency", site.network_latency.si(), "s");
  if (site.power_policy) writer.text("power_policy", "site-" + site.name);
  return writer;
}

TomlWriter resolved_feed(const Scenario& scenario, const Feed& feed) {
  TomlWriter writer;
  writer.text("site", scenario.sites[feed.site].name)
      .quantity("rating", feed.rating.si(), "W")
      .real("continuous", feed.continuous)
      .quantity("window", feed.window.si(), "s");
  if (feed.policy) writer.text("policy", "feed-" + feed.name);
  return writer;
}

}  // namespace joulecast::scenario
