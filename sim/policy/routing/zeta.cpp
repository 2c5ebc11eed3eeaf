#include "policy/routing/zeta.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "config/record.hpp"

namespace joulecast::policy {
namespace {

using config::Bounds;
using Follows = ZetaSetting::Follows;

config::Record<ZetaSetting> signal_record() {
  config::Record<ZetaSetting> record("zeta");
  record.place(&ZetaSetting::place)
      .choice("follows", &ZetaSetting::follows, {{"price", Follows::price}, {"carbon", Follows::carbon}}, "", "the signal of the site")
      .required("from", &ZetaSetting::from, Bounds::between(0, 1), "zeta where the signal is lowest during the run")
      .required("to", &ZetaSetting::to, Bounds::between(0, 1), "zeta where it is highest")
      .optional("site", &ZetaSetting::site, "that of the pools", Bounds::any(),
                "whose signal; needed where the traffic's pools stand at several sites");
  return record;
}

const char* word(Follows follows) { return follows == Follows::price ? "price" : "carbon"; }

/// The signals of the site that a setting follows; null where it cannot be told.
const control::SiteSignals* followed_site(const ZetaSetting& setting, const serving::PoolChoice& choice) {
  const control::SiteSignals* found = nullptr;
  for (const serving::PoolFacts& pool : choice.pools) {
    if (!setting.site.empty() && pool.site.site != setting.site) continue;
    if (found != nullptr && found->site != pool.site.site) return nullptr;
    found = &pool.site;
  }
  return found;
}

const control::Signal* signal_of(const ZetaSetting& setting, const control::SiteSignals& site) {
  return setting.follows == Follows::price ? site.price : site.carbon;
}

std::pair<double, double> extremes(const control::Signal& signal, Time end) {
  double low = signal.at(Time{0}), high = low;
  for (const metering::RateStep& step : signal.steps(end)) {
    low = std::min(low, step.value);
    high = std::max(high, step.value);
  }
  return {low, high};
}

}  // namespace

ZetaSetting read_zeta(const config::Node& node, config::Diagnostics& diagnostics) {
  if (node.as<config::Table>() != nullptr) return signal_record().read(node, diagnostics);
  ZetaSetting setting;
  setting.place = node.place();
  const auto value = config::Reads<double>::read(node, diagnostics, "zeta");
  if (!value) return setting;
  if (!(*value >= 0 && *value <= 1)) {
    diagnostics.error(node.place(), fmt::format("zeta = {:g} is out of bounds", *value), "choose a value in 0 .. 1");
    return setting;
  }
  setting.from = setting.to = *value;
  return setting;
}

Zeta::Zeta(const ZetaSetting& setting, const serving::PoolChoice& choice) : setting_(setting) {
  if (setting.follows == Follows::nothing) return;
  const control::SiteSignals* site = followed_site(setting, choice);
  JOULECAST_CHECK(site != nullptr && signal_of(setting, *site) != nullptr && choice.horizon, "a zeta without the signal that it follows");
  signal_ = signal_of(setting, *site);
  std::tie(low_, high_) = extremes(*signal_, *choice.horizon);
}

double Zeta::at(Time now) const {
  if (signal_ == nullptr || low_ == high_) return setting_.from;
  const double share = std::clamp((signal_->at(now) - low_) / (high_ - low_), 0.0, 1.0);
  return setting_.from + (setting_.to - setting_.from) * share;
}

void check_zeta(const ZetaSetting& setting, const serving::PoolChoice& choice, const Place& place, config::Diagnostics& diagnostics) {
  if (setting.follows == Follows::nothing) return;
  const Place at = setting.place.line > 0 ? setting.place : place;
  const char* what = word(setting.follows);
  const control::SiteSignals* site = followed_site(setting, choice);
  if (site == nullptr) {
    std::vector<std::string> sites;
    for (const serving::PoolFacts& pool : choice.pools) {
      if (std::find(sites.begin(), sites.end(), pool.site.site) == sites.end()) sites.emplace_back(pool.site.site);
    }
    diagnostics.error(at,
                      setting.site.empty()
                          ? fmt::format("zeta follows the {}, and the pools of traffic \"{}\" stand at several sites", what, choice.traffic)
                          : fmt::format("zeta follows the {} of site \"{}\", where traffic \"{}\" has no pool", what, setting.site, choice.traffic),
                      fmt::format("name one: site = \"..\"; they stand at {}", fmt::join(sites, ", ")));
    return;
  }
  const control::Signal* signal = signal_of(setting, *site);
  if (signal == nullptr) {
    diagnostics.error(at, fmt::format("zeta follows the {} of site \"{}\", which states none", what, site->site),
                      fmt::format("add {} to [site.{}] as a series, or write zeta = 0.5", what, site->site));
  } else if (!choice.horizon) {
    diagnostics.error(at, fmt::format("zeta follows the {}, whose range during the run is not known: the run has no stated duration", what),
                      "add duration to [time]");
  } else if (signal->is_constant()) {
    diagnostics.error(at, fmt::format("the {} of site \"{}\" does not change, so zeta would not either", what, site->site),
                      "give the site a series, or write zeta as a number");
  } else if (const auto [low, high] = extremes(*signal, *choice.horizon); low == high) {
    diagnostics.note(fmt::format("the {} of site \"{}\" is the same all through the run: zeta is {:g}", what, site->site, setting.from));
  }
}

}  // namespace joulecast::policy
