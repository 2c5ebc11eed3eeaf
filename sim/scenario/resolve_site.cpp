#include <fmt/format.h>

#include <utility>

#include "base/format.hpp"
#include "scenario/resolver.hpp"
#include "traces/grid/open.hpp"
#include "traces/grid/zone.hpp"

namespace joulecast::scenario {

void Resolver::sites() {
  if (file_.site.empty()) {
    diagnostics_.error({}, "the scenario has no site", "add [site.NAME] with pue = 1.25 (facility energy over IT energy); there is no default");
  }
  for (const auto& [name, table] : file_.site) {
    Site site{name, table.pue, table.timezone, {}, {}, table.demand_charge, table.network_latency, {}};
    site.price = rate(name, "price", table.price);
    site.carbon = rate(name, "carbon", table.carbon);
    scenario_.sites.push_back(std::move(site));
  }
}

std::optional<SiteRate> Resolver::rate(const std::string& site, const char* what, const std::optional<RateTable>& table) {
  if (!table) return std::nullopt;
  SiteRate rate{*table, nullptr, nullptr};
  if (!table->series) return rate;
  const bool price = std::string_view(what) == "price";
  const bool read = collecting([&] {
    rate.series =
        std::make_shared<traces::Series>(traces::read_series(*table->series, price ? traces::SeriesKind::price : traces::SeriesKind::carbon));
  });
  if (!read) return std::nullopt;
  scenario_.inputs.push_back(traces::series_path(*table->series));
  for (const std::string& note : rate.series->notes) scenario_.notes.push_back(fmt::format("{} of site \"{}\": {}", what, site, note));
  return rate;
}

void Resolver::signals() {
  for (Site& site : scenario_.sites) {
    const traces::Zone zone = site.timezone.empty() ? traces::Zone::find("UTC", {}) : traces::Zone::find(site.timezone, {});
    for (auto& [what, rate] : {std::pair{"price", &site.price}, std::pair{"carbon", &site.carbon}}) {
      if (*rate && covers(site.name, what, **rate, zone)) {
        const double scale = scenario_.currency.rate((*rate)->currency()).value_or(1);
        (*rate)->signal = (*rate)->series == nullptr
                              ? std::make_shared<control::Signal>((*rate)->written.constant * scale)
                              : std::make_shared<control::Signal>((*rate)->series, scenario_.start->ns, (*rate)->written.series->repeat, scale);
      }
    }
  }
}

/// Whether a rate is known over the whole run, as far as its length is known before it; says so where it is not.
bool Resolver::covers(const std::string& site, const char* what, const SiteRate& rate, const traces::Zone& zone) {
  if (rate.series == nullptr) return true;
  const traces::Series& series = *rate.series;
  const std::int64_t first = series.start_ns.front();
  const auto text = [&](std::int64_t ns) { return traces::local_text(zone.local(ns)) + " " + zone.name(); };
  if (!scenario_.start) {
    if (!file_.time.start) {
      diagnostics_.error(file_.time.place,
                         fmt::format("the {} of site \"{}\" has dates, from {} on, and the run has no start", what, site, text(first)),
                         "add start = 2026-03-02T00:00:00+01:00, the date and time at which the run begins, to [time]");
    }
    return false;
  }
  if (rate.written.series->repeat) {
    scenario_.notes.push_back(fmt::format("{} of site \"{}\": the series repeats after its {}", what, site,
                                          duration_text(static_cast<double>(series.end_ns - first) * 1e-9)));
    return true;
  }
  const std::int64_t begin = scenario_.start->ns;
  const std::int64_t end = begin + (scenario_.duration ? span_from_seconds(scenario_.duration->si()).ns : 1);
  if (first <= begin && end <= series.end_ns) return true;
  diagnostics_.error(rate.written.place,
                     fmt::format("the {} of site \"{}\" is known from {} to {}, and the run goes from {}{}", what, site, text(first),
                                 text(series.end_ns), text(begin), scenario_.duration ? " to " + text(end) : std::string(" on")),
                     "choose another start or duration, give a longer series, or write repeat = true");
  return false;
}

}  // namespace joulecast::scenario
