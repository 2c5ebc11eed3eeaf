#pragma once

#include "validation/registry.hpp"

namespace joulecast::validation {

/// A pipeline schedule's makespan, replayed, against its closed form.
Comparison schedule_1f1b();

}  // namespace joulecast::validation
