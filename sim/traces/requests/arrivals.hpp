#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/fixed.hpp"
#include "base/philox.hpp"
#include "base/quantity.hpp"
#include "config/record.hpp"

namespace joulecast::traces {

/// How generated requests arrive: gaps of a gamma law with mean 1 / request_rate and shape `burstiness`, as in vLLM's serving benchmark
/// (variance of a gap = mean^2 / burstiness: 1 is Poisson, below 1 burstier); "constant" is the limit of even gaps.
struct Arrivals {
  enum class Process : std::uint8_t { poisson, gamma, constant };
  Process process = Process::poisson;
  Hertz request_rate;
  double burstiness = 1;  ///< of "gamma" only
};

/// `arrivals = { process = "gamma", request_rate = "12 /s", burstiness = 0.5 }`.
config::Record<Arrivals> arrivals_record();

/// The times of such arrivals. The first comes one gap after t = 0; gaps are added up on a grid of 2^-24 ns, so that no error grows.
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
};

}  // namespace joulecast::traces
