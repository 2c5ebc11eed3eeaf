#include "serving/step_cost.hpp"

#include "base/error.hpp"

namespace joulecast::serving {

std::unique_ptr<StepCosts> StepCosts::at_point(const OperatingPoint&) const { JOULECAST_BUG("step costs that know one operating point alone"); }

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
