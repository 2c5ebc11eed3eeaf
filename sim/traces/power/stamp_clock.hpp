#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/error.hpp"
#include "traces/grid/civil_time.hpp"
#include "traces/grid/zone.hpp"
#include "traces/power/log.hpp"

namespace joulecast::traces {

/// Turns the times of a log's rows, in the order of the log, into moments: rows of several GPUs may share a time. A zone is declared, never guessed:
/// without one, times that carry no offset stay local.
class StampClock {
 public:
  /// `zone` is "" for none. UserError: no such zone.
  StampClock(const std::string& zone, const Place& place);

  /// Nanoseconds since 1970. UserError: a time that the zone's clocks left out; an offset in some rows only; without a zone, a time that lies half an
  /// hour or more before the row above (clocks were set back, or logs were joined).
  std::int64_t moment(const CivilTime& time, const Place& place);

  TimeBase base() const { return zone_ || offsets_.value_or(false) ? TimeBase::utc : TimeBase::local; }
  /// Whether, without a zone, the clock jumped forward by an hour, as it does where clocks are set forward.
  bool jumped_an_hour() const { return jumped_; }

 private:
  std::optional<Zone> zone_;
  std::optional<bool> offsets_;
  std::optional<std::int64_t> last_;
  bool jumped_ = false;
};

}  // namespace joulecast::traces
