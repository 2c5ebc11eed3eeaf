#pragma once

#include <optional>
#include <string>

#include "base/quantity.hpp"
#include "config/record.hpp"
#include "metering/demand_charge.hpp"
#include "traces/grid/options.hpp"

namespace joulecast::scenario {

/// The price or the carbon intensity of a site's electricity: a constant, or a series over calendar time.
struct RateTable {
  double constant = 0;   ///< SI: currency or grams per joule
  std::string currency;  ///< of a constant price
  std::optional<traces::SeriesOptions> series;
  Place place;
};

/// Money for the highest quarter hour of a month.
struct DemandTable {
  metering::MoneyPerWatt rate;
  std::string currency;
  Place place;
};

/// `[site.NAME]`.
struct SiteTable {
  double pue = 1;
  std::string timezone;
  std::optional<RateTable> price, carbon;
  std::optional<DemandTable> demand_charge;
  Seconds network_latency{0};
  std::string power_policy;  ///< who holds the power of all its pools; "": nobody
  Place place;
};

config::Record<SiteTable> site_record();

}  // namespace joulecast::scenario
