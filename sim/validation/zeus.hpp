#pragma once

#include <vector>

#include "validation/registry.hpp"

namespace joulecast::validation {

/// Zeus's power limits by look-up: for each GPU the energy that each job's best limit saves against its highest, the median over jobs.
std::vector<Comparison> zeus_power_limits();

}  // namespace joulecast::validation
