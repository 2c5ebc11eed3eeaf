#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/error.hpp"

namespace joulecast::traces {

/// What a clock on the wall that shows a local time says of the moment: one moment, two of them an hour (or less) apart where clocks were set back,
/// or none where they were set forward; `first` is then the moment at which they were.
struct LocalMoment {
  enum class Kind : std::uint8_t { unique, twice, never };
  Kind kind;
  std::int64_t first, second;  ///< nanoseconds since 1970, UTC; `second` differs from `first` only where the time came twice
};

/// A time zone of the IANA database of the system ("Europe/Berlin"), or a fixed offset ("UTC", "+01:00").
class Zone {
 public:
  /// UserError for a name that the database does not have, with the nearest it has.
  static Zone find(const std::string& name, const Place& place);

  const std::string& name() const { return name_; }
  /// `local_ns`: what the clock shows, as if it were UTC. Moments are within the years 1900 .. 2200.
  LocalMoment moment(std::int64_t local_ns) const;
  /// Local minus UTC at a moment, minutes.
  int offset_minutes(std::int64_t utc_ns) const;
  std::int64_t local(std::int64_t utc_ns) const { return utc_ns + std::int64_t{offset_minutes(utc_ns)} * 60'000'000'000; }
  /// The first moment of the calendar month after the one that holds `utc_ns`, and of that month itself.
  std::int64_t month_begin(std::int64_t utc_ns) const;
  std::int64_t next_month_begin(std::int64_t utc_ns) const;

 private:
  Zone(std::string name, const void* zone, int fixed_minutes) : name_(std::move(name)), zone_(zone), fixed_minutes_(fixed_minutes) {}
  std::int64_t month_begin(std::int64_t utc_ns, int months_later) const;

  std::string name_;
  const void* zone_ = nullptr;  ///< the database's entry; null for a fixed offset
  int fixed_minutes_ = 0;
};

/// "2025-03-30 02:00:00" of a local time, for messages.
std::string local_text(std::int64_t local_ns);

}  // namespace joulecast::traces
