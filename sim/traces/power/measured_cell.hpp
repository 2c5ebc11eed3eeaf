#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace joulecast::traces {

/// What a column of a log measures; its values are kept in W, J, Hz, a share, degrees Celsius, bytes, s, or as they are.
enum class Dimension : std::uint8_t { power, energy, frequency, share, temperature, memory, time, plain };

/// The factor from a unit as logs write it ("W", "mW", "MHz", "%", "MiB", "mJ", "kWh", "ms") to ours; nothing for a unit of another dimension.
/// Case counts between m and M alone.
std::optional<double> unit_factor(std::string_view unit, Dimension dimension);

/// A header such as "power.draw [W]" taken apart: lower-case name without spaces, and the unit ("" where it has none).
struct HeaderCell {
  std::string name, unit;
};
HeaderCell read_header_cell(std::string_view text);

/// A cell of a log. `missing` is a word for "no reading" (N/A, [Not Supported], ERR!, -, nothing) or a number that stands for it (DCGM's blanks, such
/// as 9223372036854775794). `cut` could be the beginning of a right cell.
struct MeasuredCell {
  enum class Kind : std::uint8_t { value, missing, cut, wrong };
  Kind kind = Kind::missing;
  double value = 0;  ///< in our unit
  bool has_unit = false;
};

/// Reads "88.10 W", "97 %", "88.10"; the unit in the cell, else `unit`, else `usual` is taken. A unit of another dimension is `wrong`.
MeasuredCell read_measured(std::string_view text, Dimension dimension, std::string_view unit, std::string_view usual, bool decimal_comma = false);

/// Whether text is one of the words for "no reading".
bool means_no_reading(std::string_view text);

/// A number of `unit` seconds as whole nanoseconds, exactly where it is written with as few decimals; false for anything else and beyond 126 years.
bool read_log_seconds(std::string_view text, double unit, std::int64_t& ns);

std::string_view trimmed_cell(std::string_view text);

}  // namespace joulecast::traces
