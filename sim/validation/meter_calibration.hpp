#pragma once

#include "validation/registry.hpp"

namespace joulecast::validation {

/// An A100's own power readings against an external meter's over the same load, aligned and half a second late.
Comparison meter_a100();

}  // namespace joulecast::validation
