#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/time.hpp"
#include "control/operating.hpp"
#include "control/signal.hpp"

namespace joulecast::control {

enum class Priority : std::uint8_t { high, low };

/// A pool's part of what a power controller steers.
struct PowerPool {
  std::string name;
  Priority priority = Priority::high;
  Hertz lowest{}, highest{};          ///< clocks of its GPUs
  Watts least_cap{}, standard_cap{};  ///< what a board's limit can be set to, and what it is set to
  std::int64_t gpus = 0;
};

/// What a power controller may know before the run.
struct PowerFacts {
  std::string place;            ///< `feed "row"` or `site "here"`, for messages
  std::optional<Watts> usable;  ///< what a feed may carry; absent for a site
  std::vector<PowerPool> pools;
  SiteSignals signals;   ///< of the site; they outlive the run
  std::string currency;  ///< of its price signal
};

/// What is measured at a control point: means since the one before.
struct PowerReading {
  double watts = 0;                   ///< of the whole feed or site, at the `it` boundary
  std::span<const double> pool_gpus;  ///< watts of all GPUs of each pool, in the order of the facts
};

/// Holds the power of a feed or a site by limits on its pools: `[feed.NAME] policy`, `[site.NAME] power_policy`.
class PowerController {
 public:
  virtual ~PowerController() = default;
  virtual Span period() const = 0;
  /// How long after a control point the decision made there reaches the GPUs, before their own switch latency. It takes the place of earlier ones that
  /// would act later.
  virtual Span latency() const { return Span{0}; }
  /// One setting a pool; `settings` holds the last decision and is changed in place.
  virtual void decide(const PowerReading& reading, Time now, std::vector<PowerSetting>& settings) = 0;
};

}  // namespace joulecast::control
