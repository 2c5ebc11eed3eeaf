#pragma once

#include <array>

#include "serving/step_cost.hpp"

namespace joulecast::serving {

/// What the true seconds and watts of each class of work are over those that profile and tables say, at the reference clock. All 1 but where errors are drawn.
struct ClassFactors {
  std::array<double, kWorks> seconds{1, 1, 1, 1, 1}, watts{1, 1, 1, 1, 1};

  friend bool operator==(const ClassFactors&, const ClassFactors&) = default;
};

}  // namespace joulecast::serving
