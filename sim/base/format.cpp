#include "base/format.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace joulecast {
namespace {

/// The power of ten of the first digit once the value is rounded to that many digits.
int decade(double value, int significant) {
  const std::string text = fmt::format("{:.{}e}", std::abs(value), significant - 1);
  return std::stoi(text.substr(text.find('e') + 1));
}

}  // namespace

std::string number_text(double value, int significant) {
  significant = std::clamp(significant, 1, 17);
  if (!std::isfinite(value) || value == 0) return fmt::format("{}", value);
  const int power = decade(value, significant);
  if (power < -4 || power >= 15) return fmt::format("{:.{}e}", value, significant - 1);
  return fmt::format("{:.{}f}", value, std::max(0, significant - 1 - power));
}

std::string si(double value, std::string_view unit, int significant) {
  significant = std::clamp(significant, 1, 17);
  if (!std::isfinite(value) || value == 0) return fmt::format("{} {}", value, unit);
  constexpr std::string_view prefixes[] = {"n", "u", "m", "", "k", "M", "G", "T", "P"};
  const int thousands = std::clamp(static_cast<int>(std::floor(decade(value, significant) / 3.0)), -3, 5);
  return fmt::format("{} {}{}", number_text(value / std::pow(10.0, 3 * thousands), significant), prefixes[thousands + 3], unit);
}

std::string energy_kwh(double joules, int significant) {
  constexpr double joules_per_wh = 3600;
  return std::abs(joules) < joules_per_wh ? si(joules, "J", significant) : si(joules / joules_per_wh, "Wh", significant);
}

std::string duration_text(double seconds, int significant) {
  if (!std::isfinite(seconds) || std::abs(seconds) >= 1e15) return fmt::format("{} s", seconds);
  if (seconds < 0) return "-" + duration_text(-seconds, significant);
  if (seconds < 59.95) return si(seconds, "s", significant);
  const auto whole = static_cast<std::int64_t>(std::llround(seconds));
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  const std::int64_t minutes = (whole + 30) / 60;
  if (minutes < 24 * 60) return fmt::format("{} h {:02} min", minutes / 60, minutes % 60);
  const std::int64_t hours = (whole + 1800) / 3600;
  return fmt::format("{} day {} h", hours / 24, hours % 24);
}

std::string grouped(std::int64_t value) {
  std::string digits = fmt::format("{}", value);
  const std::size_t first = value < 0 ? 1 : 0;
  for (std::size_t at = digits.size(); at > first + 3; at -= 3) digits.insert(at - 3, ",");
  return digits;
}

}  // namespace joulecast
