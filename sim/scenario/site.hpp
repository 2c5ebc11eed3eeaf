#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/quantity.hpp"
#include "config/node.hpp"
#include "control/signal.hpp"
#include "scenario/policy_use.hpp"
#include "scenario/tables/site.hpp"

namespace joulecast::scenario {

/// A checked price or carbon intensity of a site.
struct SiteRate {
  RateTable written;
  std::shared_ptr<const traces::Series> series;   ///< null for a constant; in the currency of its file
  std::shared_ptr<const control::Signal> signal;  ///< over the run's time, in the scenario's currency; never null in a checked scenario

  /// The currency it is written in; "" of carbon.
  const std::string& currency() const { return series != nullptr ? series->currency : written.currency; }
};

struct Site {
  std::string name;
  double pue = 1;
  std::string timezone;  ///< "" where none is stated
  std::optional<SiteRate> price, carbon;
  std::optional<DemandTable> demand_charge;
  Seconds network_latency{0};
  std::optional<PolicyUse> power_policy;

  control::SiteSignals signals() const { return {name, price ? price->signal.get() : nullptr, carbon ? carbon->signal.get() : nullptr}; }
};

/// What a breaker carries: chassis AC and network of the clusters on it.
struct Feed {
  std::string name;
  std::size_t site = 0;
  Watts rating;
  double continuous = 1;
  Seconds window{900};
  std::optional<PolicyUse> policy = {};

  Watts usable() const { return continuous * rating; }
};

/// Nanoseconds from 1970-01-01 on as a clock of the date's own offset counts them.
std::int64_t local_ns(const config::DateTime& date);

/// When the run begins.
struct Start {
  config::DateTime written;  ///< with its offset
  std::int64_t ns = 0;       ///< since 1970, UTC

  /// Nanoseconds since local midnight, by the offset.
  std::int64_t local_ns_of_day() const;
  /// "2025-03-30T00:00:00+01:00".
  std::string text() const;
};

}  // namespace joulecast::scenario
