#pragma once

#include <optional>

#include "base/quantity.hpp"

namespace joulecast::control {

/// The locks of a replica's GPUs: one for steps with prompt chunks, one for pure decode steps.
struct ClockSetting {
  Hertz prefill{}, decode{};

  friend bool operator==(const ClockSetting&, const ClockSetting&) = default;
};

/// What a power controller imposes on a replica's GPUs, beside what its pool sets: nothing where both are absent.
struct PowerSetting {
  std::optional<Watts> cap;    ///< of one GPU's mean watts
  std::optional<Hertz> clock;  ///< no clock above it

  friend bool operator==(const PowerSetting&, const PowerSetting&) = default;
};

}  // namespace joulecast::control
