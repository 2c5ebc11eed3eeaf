#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace joulecast::traces {

/// The order in which a file writes a date's parts: 2025-03-30, 30/03/2025, 03/30/2025.
enum class DateOrder : std::uint8_t { ymd, dmy, mdy };

/// A date and time as a file writes it: what a clock on the wall shows, as if it were UTC, and the offset where one is written.
struct CivilTime {
  std::int64_t local_ns;
  std::optional<int> offset_minutes;
};

/// "2025-03-30 02:15", "2025-03-30T02:15:00.000Z", "30/03/2025 02:15:00", "30.03.2025", "1/1/2021 4:55:00 AM": the date's parts are parted by '-',
/// '/' or '.', the time may be absent (midnight), its seconds too, decimals of a second are read to the ninth; 24:00 is the end of the day; AM and PM
/// with a 12-hour clock; then nothing, Z, or an offset. nullopt for anything else and for days that do not exist; years 1950 .. 2150.
std::optional<CivilTime> read_civil(std::string_view text, DateOrder order);

/// Days since 1970-01-01 of a date that exists, times 24 h; nullopt for one that does not.
std::optional<std::int64_t> midnight_ns(int year, int month, int day);

}  // namespace joulecast::traces
