#pragma once

#include <cstdint>
#include <string>

#include "base/time.hpp"
#include "config/diagnostics.hpp"
#include "config/node.hpp"
#include "serving/pool_routing.hpp"

namespace joulecast::policy {

/// `zeta = 0.5`, or `zeta = { follows = "price" | "carbon", from = 0.1, to = 0.6, site = "fra" }`.
struct ZetaSetting {
  enum class Follows : std::uint8_t { nothing, price, carbon };
  Follows follows = Follows::nothing;
  double from = 0, to = 0;  ///< at the signal's lowest and highest value; the same where it follows nothing
  std::string site;         ///< "": that of all the traffic's pools
  Place place;

  bool is_always(double value) const { return from == value && to == value; }
};
ZetaSetting read_zeta(const config::Node& node, config::Diagnostics& diagnostics);

/// The weight of energy against accuracy as time goes: zeta(t) = from + (to - from) (s(t) - s_low)/(s_high - s_low), s the signal and s_low, s_high its
/// lowest and highest value during the run. Prices of a day are known the day before, so the two are no secret; behind a stated duration (a run that
/// drains) zeta stays within from .. to.
class Zeta {
 public:
  /// The setting has been checked for the choice.
  Zeta(const ZetaSetting& setting, const serving::PoolChoice& choice);
  double at(Time now) const;

 private:
  ZetaSetting setting_;
  const control::Signal* signal_ = nullptr;
  double low_ = 0, high_ = 0;
};

/// What is wrong with a zeta that follows a signal: a site without it, pools of several sites and none named, a constant (zeta would not change
/// either), a run without a stated duration. A series that stays the same for this run is noted; zeta is then `from`.
void check_zeta(const ZetaSetting& setting, const serving::PoolChoice& choice, const Place& place, config::Diagnostics& diagnostics);

}  // namespace joulecast::policy
