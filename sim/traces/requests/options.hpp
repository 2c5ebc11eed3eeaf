#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/error.hpp"
#include "base/quantity.hpp"
#include "config/record.hpp"

namespace joulecast::traces {

/// Which columns of a plain CSV hold what.
struct TraceColumns {
  std::string arrival, input, output;
};

/// A trace file and how it is replayed: `requests = { file = "conv.csv", format = "azure" }`.
struct TraceOptions {
  std::string file;  ///< as written, relative to the file that `place` names
  Place place;
  std::string format;                   ///< one of `trace_formats`
  std::optional<TraceColumns> columns;  ///< with "csv"
  std::string time_unit;                ///< with "csv": "s", "ms", "us", "ns", "datetime"
  bool rebase = true;
  bool repeat = false;
  std::string zero_tokens = "error";    ///< or "drop", "keep"
  std::string torn_last_row = "error";  ///< or "drop"
  std::optional<std::int64_t> limit;
  Seconds offset;
  /// With `rebase = false` and a trace that has dates: the moment at which the run begins, nanoseconds since 1970.
  std::optional<std::int64_t> run_begins_ns;
};

config::Record<TraceOptions> trace_record();

/// A trace brought with another rate.
struct RateScale {
  enum class By : std::uint8_t {
    superpose,  ///< so many copies of the trace, each but the first shifted around the trace's period by a random time; of the last, a share
    compress,   ///< every time since the first arrival is divided by the scale
    thin        ///< every request is kept with the scale, at most 1, as its probability
  };
  double scale = 1;
  By by = By::superpose;
};

/// How a trace is resampled: `resample = { blocks = "5 min", within = "30 min" }`.
struct Resample {
  Seconds blocks{300};   ///< length of a block
  Seconds within{1800};  ///< how far from its own time of day, at most, a block may be taken
  Place place;
};

config::Record<Resample> resample_record();

}  // namespace joulecast::traces
