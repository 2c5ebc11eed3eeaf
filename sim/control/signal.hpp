#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "base/time.hpp"
#include "metering/rate_step.hpp"
#include "traces/grid/series.hpp"

namespace joulecast::control {

/// The price or carbon intensity of a site over the simulated time of a run, in SI units (the scenario's currency per joule, grams per joule), as a
/// policy reads it: a constant, or the steps of a series. Reading it changes nothing.
class Signal {
 public:
  explicit Signal(double constant) : constant_(constant) {}
  /// `run_begins_ns` is simulated time 0 in nanoseconds since 1970; `scale` multiplies every value (a currency's rate). A repeated series goes round
  /// by its own length, end - first start. The series has values; without `repeat` the run begins inside it.
  Signal(std::shared_ptr<const traces::Series> series, std::int64_t run_begins_ns, bool repeat, double scale = 1);

  /// The value at an instant >= 0; behind the end of a series that does not repeat its last one.
  double at(Time now) const;
  /// The first instant after `now` at which another step begins; kForever where there is none.
  Time next_change(Time now) const;
  /// The steps of [0, end), the first from 0, rounds of a repeated series one after the other.
  std::vector<metering::RateStep> steps(Time end) const;
  /// Until when values are known: kForever for a constant or a repeated series.
  Time covered_until() const;
  bool is_constant() const { return series_ == nullptr; }

 private:
  /// Where an instant lies: the step, and the simulated time at which the series' first step of this round begins.
  struct Where {
    std::size_t step;
    std::int64_t round_begins_ns;
  };
  Where where(Time now) const;

  double constant_ = 0;
  std::shared_ptr<const traces::Series> series_;
  std::int64_t run_begins_ns_ = 0;
  bool repeat_ = false;
  double scale_ = 1;
};

/// The signals of one site; null where the scenario states none.
struct SiteSignals {
  std::string_view site;
  const Signal* price = nullptr;
  const Signal* carbon = nullptr;
};

/// `signal`, or a UserError that says which policy lacks which signal ("price", "carbon") of which site.
const Signal& required_signal(const Signal* signal, std::string_view policy, std::string_view what, std::string_view site, const Place& place);

}  // namespace joulecast::control
