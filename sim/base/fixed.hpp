#pragma once

#include <cmath>
#include <compare>
#include <cstdint>

#include "base/time.hpp"

namespace joulecast {

__extension__ using int128 = __int128;

/// A sum kept exactly: a whole number of 2^-24 nano-units in 128 bits. Every cost is rounded to this grid once, when it is looked up, and
/// from then on only added and multiplied by whole numbers; so any order of addition, and k steps at once or one by one, give the same bits.
/// `Tag` names the unit (seconds, joules). Holds |value| < 5e21 units.
template <class Tag>
struct Fixed {
  static constexpr int kFractionBits = 24;
  int128 raw = 0;

  /// The nearest grid point to `units` (SI: seconds or joules); `units` is finite and below 1e12.
  static Fixed from_units(double units) { return {static_cast<int128>(std::nearbyint(units * 1e9 * static_cast<double>(1 << kFractionBits)))}; }
  static constexpr Fixed from_nano(std::int64_t nano) { return {static_cast<int128>(nano) << kFractionBits}; }

  /// Whole nano-units, rounded down.
  constexpr std::int64_t floor_nano() const { return static_cast<std::int64_t>(raw >> kFractionBits); }
  constexpr double units() const { return static_cast<double>(raw) * (1e-9 / static_cast<double>(1 << kFractionBits)); }

  friend constexpr auto operator<=>(Fixed, Fixed) = default;
  friend constexpr Fixed operator+(Fixed a, Fixed b) { return {a.raw + b.raw}; }
  friend constexpr Fixed operator-(Fixed a, Fixed b) { return {a.raw - b.raw}; }
  friend constexpr Fixed operator*(std::int64_t k, Fixed a) { return {a.raw * k}; }
  constexpr Fixed& operator+=(Fixed b) {
    raw += b.raw;
    return *this;
  }
  constexpr Fixed& operator-=(Fixed b) {
    raw -= b.raw;
    return *this;
  }
};

/// Exact seconds: an instant or a length of time between the nanoseconds that events live on.
struct SecondsTag;
struct JoulesTag;
/// Exact seconds: an instant or a length of time between the nanoseconds that events live on.
using FixedTime = Fixed<SecondsTag>;
/// Exact joules.
using FixedEnergy = Fixed<JoulesTag>;

constexpr FixedTime to_fixed(Time t) { return FixedTime::from_nano(t.ns); }
constexpr Time floor_time(FixedTime t) { return {t.floor_nano()}; }

namespace detail {

/// floor(a * part / whole) for 0 <= a < whole, 0 <= part <= whole < 2^126, where the product may need 256 bits.
constexpr int128 scale_down(int128 a, int128 part, int128 whole) {
  constexpr int128 safe = int128{1} << 63;
  if (whole <= safe) return a * part / whole;
  int128 quotient = 0;
  int128 rest = 0;
  for (int bit = 125; bit >= 0; --bit) {
    quotient *= 2;
    rest *= 2;
    if (rest >= whole) {
      rest -= whole;
      ++quotient;
    }
    if (((part >> bit) & 1) == 0) continue;
    rest += a;
    if (rest >= whole) {
      rest -= whole;
      ++quotient;
    }
  }
  return quotient;
}

}  // namespace detail

/// floor(value * part / whole) without overflow, for 0 <= part <= whole, whole > 0. Dear (some 125 steps) where `whole` is above 9 minutes.
template <class Tag>
constexpr Fixed<Tag> share(Fixed<Tag> value, FixedTime part, FixedTime whole) {
  int128 quotient = value.raw / whole.raw;
  int128 rest = value.raw % whole.raw;
  if (rest < 0) {
    rest += whole.raw;
    --quotient;
  }
  return {quotient * part.raw + detail::scale_down(rest, part.raw, whole.raw)};
}

/// An amount that grows by `grow` from one step of a series to the next: first, first + grow, first + 2 grow, ...
template <class Tag>
struct Progression {
  Fixed<Tag> first;
  Fixed<Tag> grow;

  constexpr Fixed<Tag> at(std::int64_t step) const { return {first.raw + grow.raw * step}; }
  /// The sum of the first `steps` terms.
  constexpr Fixed<Tag> sum(std::int64_t steps) const { return {first.raw * steps + grow.raw * (static_cast<int128>(steps) * (steps - 1) / 2)}; }
};

}  // namespace joulecast
