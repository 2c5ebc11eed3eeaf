#pragma once

#include <cmath>
#include <cstdint>

#include "base/fixed.hpp"
#include "base/quantity.hpp"

namespace joulecast::training {

/// What waiting GPUs draw, as a whole number of 2^-24 W: the energy of a wait is a difference of `until` at its two ends, so the waits of a stage add
/// up exactly to the energy of their sum.
class WaitingPower {
 public:
  explicit WaitingPower(Watts watts) : raw_(static_cast<std::int64_t>(std::nearbyint(watts.si() * static_cast<double>(1 << 24)))) {}

  /// Energy of having waited `waited` >= 0 in all, rounded down to 2^-24 nJ.
  FixedEnergy until(FixedTime waited) const { return {waited.raw * raw_ >> 24}; }
  /// Energy of a further wait of `more` after `waited`.
  FixedEnergy of(FixedTime waited, FixedTime more) const { return until(waited + more) - until(waited); }

 private:
  std::int64_t raw_;
};

}  // namespace joulecast::training
