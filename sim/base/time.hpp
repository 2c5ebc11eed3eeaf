#pragma once

#include <compare>
#include <cstdint>

namespace joulecast {

/// A length of simulated time in whole nanoseconds.
struct Span {
  std::int64_t ns = 0;

  friend constexpr auto operator<=>(Span, Span) = default;
  friend constexpr Span operator+(Span a, Span b) { return {a.ns + b.ns}; }
  friend constexpr Span operator-(Span a, Span b) { return {a.ns - b.ns}; }
  friend constexpr Span operator*(std::int64_t k, Span a) { return {k * a.ns}; }
  constexpr double seconds() const { return static_cast<double>(ns) * 1e-9; }
};

/// An instant of simulated time: nanoseconds since the run began.
struct Time {
  std::int64_t ns = 0;

  friend constexpr auto operator<=>(Time, Time) = default;
  friend constexpr Time operator+(Time t, Span d) { return {t.ns + d.ns}; }
  friend constexpr Time operator-(Time t, Span d) { return {t.ns - d.ns}; }
  friend constexpr Span operator-(Time a, Time b) { return {a.ns - b.ns}; }
  constexpr double seconds() const { return static_cast<double>(ns) * 1e-9; }
};

constexpr Time kForever{INT64_MAX};

/// Whole nanoseconds nearest to `seconds`; the caller keeps |seconds| below 9e9.
constexpr Span span_from_seconds(double seconds) {
  const double ns = seconds * 1e9;
  return {static_cast<std::int64_t>(ns < 0 ? ns - 0.5 : ns + 0.5)};
}

}  // namespace joulecast
