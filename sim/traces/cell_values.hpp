#pragma once

#include <cstdint>
#include <string_view>

namespace joulecast::traces {

/// How the text of a cell reads. `cut` is text that could be the beginning of a right one, as at the end of a file that was cut off.
enum class Reading : std::uint8_t { good, cut, wrong };

/// A whole number of tokens, 0 .. 2147483647, digits only.
Reading read_tokens(std::string_view text, std::int32_t& tokens);

/// A decimal number ("12", "0.25", "1e-05") times 10^`exponent` nanoseconds (9 for seconds, 6 ms, 3 us, 0 ns), worked out in whole numbers: what
/// has no more decimals than nanoseconds is kept exactly, the rest is rounded to the nearest. |value| is at most 4e18 ns (126 years).
Reading read_decimal_ns(std::string_view text, int exponent, std::int64_t& ns);

/// "2023-11-16 18:17:03.9799600" as nanoseconds since 1970: a space or T between date and time, any number of decimals (those after the ninth
/// are dropped), then nothing (read as UTC, `has_offset` false), Z, +hh, +hhmm or +hh:mm. Years 1900 .. 2090.
Reading read_datetime_ns(std::string_view text, std::int64_t& ns, bool& has_offset);

}  // namespace joulecast::traces
