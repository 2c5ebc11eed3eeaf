#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "base/error.hpp"
#include "traces/grid/civil_time.hpp"
#include "traces/grid/zone.hpp"

namespace joulecast::traces {

/// Turns the times of a file's rows, in the order of the file, into moments. A time with an offset needs nothing else; all others are read in one
/// zone.
class LocalClock {
 public:
  /// Which moment is meant by a time that came twice: the one that continues the rows before it, or the first or second as the file marks it.
  enum class Pass : std::uint8_t { by_order, first, second };

  explicit LocalClock(std::optional<Zone> zone) : zone_(std::move(zone)) {}

  /// The moment in nanoseconds since 1970. UserError: a time that the zone's clocks left out; no offset and no zone; an offset in some rows only.
  std::int64_t moment(const CivilTime& time, Pass pass, const Place& place);
  /// The end of an interval that began at `start`, which `from` shows: the nearest moment behind it that shows `to`; a time that was left out is the
  /// moment at which it was. From the first pass of a time that came twice, it is as far as the clock shows: the second pass is an interval of its
  /// own.
  std::int64_t end_behind(std::int64_t start, const CivilTime& from, const CivilTime& to, const Place& place) const;

  const std::optional<Zone>& zone() const { return zone_; }

 private:
  std::int64_t chosen(const LocalMoment& moments, Pass pass) const;
  void check_offset(const CivilTime& time, const Place& place);

  std::optional<Zone> zone_;
  std::optional<bool> offsets_;  ///< whether the first row's time has one
  std::optional<std::int64_t> last_;
  bool newest_first_ = false;
};

}  // namespace joulecast::traces
