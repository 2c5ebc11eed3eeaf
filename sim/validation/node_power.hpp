#pragma once

#include "validation/registry.hpp"

namespace joulecast::validation {

/// A DGX H100's watts from given watts of its GPUs: DC without fans, as an immersion-cooled run was metered, and AC with fans at their peak.
Comparison h100_node_power();

}  // namespace joulecast::validation
