#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace joulecast {

/// A number for people with at least that many significant digits and no exponent between 1e-4 and 1e15: "12.3", "0.0120", "1230".
std::string number_text(double value, int significant = 3);

/// A value with the prefix (n u m k M G T P) that leaves 1 .. 999 before it: si(1250, "W") is "1.25 kW".
std::string si(double value, std::string_view unit, int significant = 3);

/// Joules as watt-hours with a prefix, "12.3 kWh"; below 1 Wh as joules.
std::string energy_kwh(double joules, int significant = 3);

/// A length of time in the two largest units that say it: "80.0 ms", "12.3 s", "2 min 05 s", "3 h 07 min", "2 day 4 h".
std::string duration_text(double seconds, int significant = 3);

/// A whole number in groups of three: "22,361,870".
std::string grouped(std::int64_t value);

}  // namespace joulecast
