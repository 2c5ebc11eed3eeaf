#pragma once

#include "base/time.hpp"

namespace joulecast::metering {

/// One step of a rate over simulated time (money per joule, grams per joule): holds from `from` until the next step.
struct RateStep {
  Time from;
  double value = 0;
};

}  // namespace joulecast::metering
