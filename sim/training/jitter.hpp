#pragma once

#include <cmath>
#include <cstdint>

#include "base/fixed.hpp"
#include "base/philox.hpp"

namespace joulecast::training {

/// A factor on an operation's time and joules (its watts stay), a whole number of 2^-32: 1 changes nothing, to the bit.
class Stretching {
 public:
  Stretching() = default;
  /// `factor` > 0 and below 2^20.
  static Stretching of(double factor) { return Stretching(static_cast<std::int64_t>(std::nearbyint(factor * 0x1p32))); }

  template <class Tag>
  Fixed<Tag> operator()(Fixed<Tag> amount) const {
    return {amount.raw * raw_ >> 32};
  }
  bool one() const { return raw_ == kOne; }

 private:
  static constexpr std::int64_t kOne = std::int64_t{1} << 32;
  explicit Stretching(std::int64_t raw) : raw_(raw) {}
  std::int64_t raw_ = kOne;
};

/// Lognormal factors of mean 1 and the given relative standard deviation: exp(s z - s^2/2), s^2 = ln(1 + deviation^2), z standard normal. The draws
/// of a pipeline depend on the seed and its own name alone.
class Jitter {
 public:
  /// `deviation` >= 0.
  Jitter(double deviation, Stream stream) : s_(std::sqrt(std::log1p(deviation * deviation))), stream_(stream) {}
  Stretching next() { return Stretching::of(std::exp(s_ * stream_.normal() - s_ * s_ / 2)); }

 private:
  double s_;
  Stream stream_;
};

}  // namespace joulecast::training
