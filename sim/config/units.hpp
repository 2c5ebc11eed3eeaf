#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "config/diagnostics.hpp"

namespace joulecast::config {

/// The exponents of energy, time, data, work, money and emission, as in Quantity.
struct Dimension {
  std::array<int, 6> exponents{};

  friend constexpr bool operator==(const Dimension&, const Dimension&) = default;
};

/// A number with a unit: its value in SI base units, and for money the currency and what it is for ("GPU", "node" or "").
struct Measured {
  double si = 0;
  std::string currency;
  std::string per;
};

/// Parses "1.25 kWh": a decimal number (point, no thousands separators, exponent allowed), spaces or none, a unit. Independent of the locale.
///
/// A unit is NAME, NAME/NAME.., or /NAME (a rate, "5.5 /s"); spaces around "/" do not matter. Names, with their prefixes:
///   energy    J (n u m k M G T P), Wh (k M G T; 1 Wh = 3600 J)      power     W (n u m k M G T P)
///   time      s (n u m; us also with a micro sign), min, h, day, week (7 day), year (365 day)
///   clock     Hz (k M G T)                                          rate      /s /min /h /day ...
///   data      B (k M G T P; Ki Mi Gi Ti Pi: G is 1e9, Gi is 2^30), bit (k M G T; 8 bit = 1 B)
///   work      FLOP (k M G T P E)                                    money     USD EUR GBP
///   emission  g (m k), t (1e6 g), lb (453.59237 g)                  for money only: /GPU, /node say what a price is for
/// Reports and returns nullopt: no unit, an unknown unit, a unit of another dimension than `wanted`, not a finite number. `key` names the
/// value in the messages.
std::optional<Measured> parse_measured(std::string_view text, const Dimension& wanted, const Place& place, Diagnostics& diagnostics,
                                       std::string_view key = "");

/// "80 %" as 0.8; the same faults.
std::optional<double> parse_percent(std::string_view text, const Place& place, Diagnostics& diagnostics, std::string_view key = "");

/// "power", "energy", "money per energy", ...; "quantity" for a dimension without a name.
std::string dimension_name(const Dimension& dimension);
/// "W", "J", "currency/J", ...
std::string si_unit(const Dimension& dimension);
/// A well-formed quantity: "1.25 kW".
std::string example_of(const Dimension& dimension);
/// The usual units of a dimension, smallest first.
std::vector<std::string> usual_units(const Dimension& dimension);

}  // namespace joulecast::config
