#include "serving/step_cost.hpp"

namespace joulecast::serving {

FixedTime StepCost::total_seconds() const {
  FixedTime total;
  for (const auto part : seconds) total += part;
  return total;
}

FixedEnergy StepCost::total_joules() const {
  FixedEnergy total;
  for (const auto part : joules) total += part;
  return total;
}

}  // namespace joulecast::serving
