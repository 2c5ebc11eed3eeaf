#pragma once

#include <vector>

#include "validation/registry.hpp"

namespace joulecast::validation {

/// Curves of time and watts against the clock and of time against the power limit, fitted on part of what was measured, held against the rest; the
/// A100's sensor held against an external meter.
std::vector<Comparison> calibrations();

}  // namespace joulecast::validation
