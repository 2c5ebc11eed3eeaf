#pragma once

#include "base/quantity.hpp"

namespace joulecast::metering {

/// GPUs paid for by the second, used or not.
struct Rental {
  MoneyPerSecond per_gpu{};

  constexpr Money cost(int gpus, Seconds run) const { return static_cast<double>(gpus) * (per_gpu * run); }
};

/// Nodes that were bought, spread evenly over their life.
struct Capital {
  Money per_node{};
  Seconds life{};  ///< > 0

  constexpr Money cost(int nodes, Seconds run) const { return static_cast<double>(nodes) * (per_node * (run / life)); }
};

}  // namespace joulecast::metering
