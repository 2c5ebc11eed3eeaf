#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/fixed.hpp"
#include "base/philox.hpp"
#include "base/quantity.hpp"
#include "config/record.hpp"
#include "traces/requests/daily_shape.hpp"

namespace joulecast::traces {

/// How generated requests arrive: gaps of a gamma law with mean 1 / request_rate and shape `burstiness`, as in vLLM's serving benchmark
/// (variance of a gap = mean^2 / burstiness: 1 is Poisson, below 1 burstier); "constant" is the limit of even gaps. "closed": `max_concurrency`
/// requests at t = 0, and, `think_time` after one completes, the next.
struct Arrivals {
  enum class Process : std::uint8_t { poisson, gamma, constant, closed };
  Process process = Process::poisson;
  Hertz request_rate;                    ///< not of "closed"
  double burstiness = 1;                 ///< of "gamma" only
  std::int64_t max_concurrency = 0;      ///< of "closed" only
  Seconds think_time{0};                 ///< of "closed" only: from a completion to the next arrival
  std::optional<DailyShape> daily = {};  ///< not of "closed"
};

/// `arrivals = { process = "gamma", request_rate = "12 /s", burstiness = 0.5 }`.
config::Record<Arrivals> arrivals_record();

/// The times of such arrivals, if they are not closed. The first comes one gap after t = 0; gaps are added up on a grid of 2^-24 ns, so that no error
/// grows. With a daily shape the same gaps are laid out in even time (DailyClock).
class ArrivalTimes {
 public:
  /// Draws from the stream of (seed, name, "arrivals"). The rate is above 0.
  ArrivalTimes(const Arrivals& arrivals, std::uint64_t seed, std::string_view name);

  /// The next arrival, rounded down to a nanosecond; kForever once it is more than 200 years away.
  Time next();

 private:
  Arrivals arrivals_;
  double mean_gap_;
  Stream stream_;
  FixedTime at_;
  std::optional<DailyClock> clock_;
};

}  // namespace joulecast::traces
