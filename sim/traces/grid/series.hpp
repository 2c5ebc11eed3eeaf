#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace joulecast::traces {

/// A step function of calendar time: value i holds in [start_ns[i], start_ns[i + 1]), the last one until `end_ns`; nanoseconds since 1970, UTC. What
/// a price or carbon file becomes, in SI units (money per joule, grams per joule). Starts rise, and there is at least one value.
struct Series {
  std::vector<std::int64_t> start_ns;
  std::vector<double> value;
  std::int64_t end_ns = 0;
  std::string unit;                ///< of the file, for people: "EUR/MWh"
  std::string currency;            ///< of prices
  std::vector<std::string> notes;  ///< rows left out, gaps filled, estimated values: counted, for the report

  /// The value at a moment inside [start_ns.front(), end_ns); that of the nearest step outside.
  double at(std::int64_t ns) const;
};

}  // namespace joulecast::traces
