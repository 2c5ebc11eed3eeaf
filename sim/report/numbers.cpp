#include "report/numbers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

namespace joulecast::report {

namespace {

std::string thousands(std::string_view digits) {
  std::string text;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) text += ',';
    text += digits[i];
  }
  return text;
}

}  // namespace

std::string three_digits(double value) { return significant(value, 3); }

std::string significant(double value, int digits) {
  if (!std::isfinite(value)) return std::string(kUnknown);
  if (value == 0) return "0";
  const std::string scientific = fmt::format("{:.{}e}", value, digits - 1);
  const int exponent = std::atoi(scientific.c_str() + scientific.find('e') + 1);
  if (exponent < -3) return scientific;
  const std::string text = fmt::format("{:.{}f}", std::abs(std::strtod(scientific.c_str(), nullptr)), std::max(0, digits - 1 - exponent));
  return (value < 0 ? "-" : "") + (exponent < 3 ? text : thousands(text));
}

int digits_of(double relative) { return !(relative >= 0.05) || !std::isfinite(relative) ? 3 : relative < 0.5 ? 2 : 1; }

int digits_of(double value, double low, double high) { return digits_of(value != 0 ? std::abs((high - low) / (2 * value)) : 0); }

std::string with_separators(std::uint64_t count) { return thousands(fmt::format("{}", count)); }

std::string percent(double share) {
  if (!std::isfinite(share)) return std::string(kUnknown);
  if (share > 0.9995 && share < 1) return "> 99.9 %";
  if (share > 0 && share < 0.001) return "< 0.1 %";
  return share == 0 || share == 1 ? fmt::format("{:.0f} %", 100 * share) : fmt::format("{:.1f} %", 100 * share);
}

UnitFamily watt_hours() {
  static constexpr std::array<Unit, 5> units{{{"mWh", 3.6}, {"Wh", 3.6e3}, {"kWh", 3.6e6}, {"MWh", 3.6e9}, {"GWh", 3.6e12}}};
  return units;
}
UnitFamily watts() {
  static constexpr std::array<Unit, 3> units{{{"W", 1}, {"kW", 1e3}, {"MW", 1e6}}};
  return units;
}
UnitFamily joules() {
  static constexpr std::array<Unit, 4> units{{{"mJ", 1e-3}, {"J", 1}, {"kJ", 1e3}, {"MJ", 1e6}}};
  return units;
}
UnitFamily grams() {
  static constexpr std::array<Unit, 3> units{{{"g", 1}, {"kg", 1e3}, {"t", 1e6}}};
  return units;
}
UnitFamily seconds() {
  static constexpr std::array<Unit, 3> units{{{"µs", 1e-6}, {"ms", 1e-3}, {"s", 1}}};
  return units;
}

Unit unit_for(UnitFamily family, double value) {
  Unit unit = family.front();
  for (const Unit& candidate : family) {
    if (std::abs(value) >= candidate.size * 0.9995) unit = candidate;
  }
  return unit;
}

std::string scaled(UnitFamily family, double value, int digits) {
  if (!std::isfinite(value)) return std::string(kUnknown);
  const Unit unit = unit_for(family, value);
  return fmt::format("{} {}", significant(value / unit.size, digits), unit.name);
}

std::string length_of_time(double seconds) {
  if (!(seconds >= 60)) return scaled(report::seconds(), seconds);
  const auto whole = static_cast<std::int64_t>(std::llround(seconds));
  const std::int64_t days = whole / 86400, hours = whole / 3600 % 24, minutes = whole / 60 % 60, rest = whole % 60;
  if (days > 0) return hours > 0 ? fmt::format("{} d {} h", days, hours) : fmt::format("{} d", days);
  if (hours > 0) return minutes > 0 ? fmt::format("{} h {} min", hours, minutes) : fmt::format("{} h", hours);
  return rest > 0 ? fmt::format("{} min {} s", minutes, rest) : fmt::format("{} min", minutes);
}

std::size_t display_width(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

}  // namespace joulecast::report
