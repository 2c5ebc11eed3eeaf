#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace joulecast::report {

/// What stands where a figure is not known.
inline constexpr std::string_view kUnknown = "–";

/// Three significant digits for people: "0.0123", "9.13", "146", "12,300"; below 0.001 "1.23e-05"; an exact 0 "0"; NaN `kUnknown`.
std::string three_digits(double value);
/// The same with so many significant digits, 1 .. 3.
std::string significant(double value, int digits);
/// How many digits a figure deserves whose 80 % interval is known: 3 where half of it is below 5 % of the figure, 2 below 50 %, else 1.
int digits_of(double value, double low, double high);
/// The same by the interval's relative half-width; 3 where it is not finite.
int digits_of(double relative);
/// "19,366".
std::string with_separators(std::uint64_t count);
/// A share 0 .. 1 as "98.7 %"; NaN `kUnknown`.
std::string percent(double share);

/// A unit with a size: `value` of the family's base unit is value / size of this one.
struct Unit {
  std::string_view name;
  double size;
};
/// Units of one quantity, rising.
using UnitFamily = std::span<const Unit>;
UnitFamily watt_hours();  ///< of joules
UnitFamily watts();
UnitFamily joules();
UnitFamily grams();
UnitFamily seconds();  ///< us, ms, s

/// The largest unit of which `value` is at least one, else the smallest.
Unit unit_for(UnitFamily family, double value);
/// "142 ms" in the unit of its own size; NaN `kUnknown`.
std::string scaled(UnitFamily family, double value, int digits = 3);
/// "3 h 20 min", "58 min 22 s", "12.5 s": for lengths of simulated time.
std::string length_of_time(double seconds);
/// Terminal columns of UTF-8 text (one a code point).
std::size_t display_width(std::string_view text);

}  // namespace joulecast::report
