#pragma once

#include <compare>

namespace joulecast {

/// A physical quantity as an SI double with its dimension in the type: watts times seconds are joules, and joules do not add to watts.
/// The exponents are those of energy (J), time (s), data (byte), work (FLOP), money (the scenario's currency) and emission (g CO2e).
template <int Energy, int Time, int Data = 0, int Work = 0, int Money = 0, int Emission = 0>
class Quantity {
 public:
  constexpr Quantity() = default;
  constexpr explicit Quantity(double si) : si_(si) {}

  /// The value in SI base units (J, s, byte, FLOP, currency, g and their products).
  constexpr double si() const { return si_; }

  friend constexpr auto operator<=>(Quantity, Quantity) = default;
  friend constexpr Quantity operator+(Quantity a, Quantity b) { return Quantity(a.si_ + b.si_); }
  friend constexpr Quantity operator-(Quantity a, Quantity b) { return Quantity(a.si_ - b.si_); }
  friend constexpr Quantity operator*(double k, Quantity a) { return Quantity(k * a.si_); }
  friend constexpr Quantity operator*(Quantity a, double k) { return Quantity(k * a.si_); }
  friend constexpr Quantity operator/(Quantity a, double k) { return Quantity(a.si_ / k); }
  constexpr Quantity& operator+=(Quantity b) {
    si_ += b.si_;
    return *this;
  }

 private:
  double si_ = 0;
};

namespace detail {
template <int E, int T, int D, int W, int M, int G>
struct Reduced {
  using type = Quantity<E, T, D, W, M, G>;
};
template <>
struct Reduced<0, 0, 0, 0, 0, 0> {
  using type = double;
};
}  // namespace detail

template <int E, int T, int D, int W, int M, int G, int E2, int T2, int D2, int W2, int M2, int G2>
constexpr auto operator*(Quantity<E, T, D, W, M, G> a, Quantity<E2, T2, D2, W2, M2, G2> b) {
  return typename detail::Reduced<E + E2, T + T2, D + D2, W + W2, M + M2, G + G2>::type(a.si() * b.si());
}
template <int E, int T, int D, int W, int M, int G, int E2, int T2, int D2, int W2, int M2, int G2>
constexpr auto operator/(Quantity<E, T, D, W, M, G> a, Quantity<E2, T2, D2, W2, M2, G2> b) {
  return typename detail::Reduced<E - E2, T - T2, D - D2, W - W2, M - M2, G - G2>::type(a.si() / b.si());
}

using Joules = Quantity<1, 0>;
using Seconds = Quantity<0, 1>;
using Watts = Quantity<1, -1>;
using Hertz = Quantity<0, -1>;  // clocks and rates
using Bytes = Quantity<0, 0, 1>;
using BytesPerSecond = Quantity<0, -1, 1>;
using Flops = Quantity<0, 0, 0, 1>;
using FlopsPerSecond = Quantity<0, -1, 0, 1>;
using Money = Quantity<0, 0, 0, 0, 1>;
using MoneyPerJoule = Quantity<-1, 0, 0, 0, 1>;
using MoneyPerSecond = Quantity<0, -1, 0, 0, 1>;  // rental of one GPU
using GramsPerJoule = Quantity<-1, 0, 0, 0, 0, 1>;
using Grams = Quantity<0, 0, 0, 0, 0, 1>;

}  // namespace joulecast
