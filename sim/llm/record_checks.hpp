#pragma once

#include "config/diagnostics.hpp"
#include "llm/architecture.hpp"

namespace joulecast::llm {

/// Heads, patterns and what belongs together.
void check_shape(const Architecture& model, const Place& place, config::Diagnostics& diagnostics);
void check_experts(const Architecture& model, const Place& place, config::Diagnostics& diagnostics);
/// Dimensions whose parameters can be summed.
void check_countable(const Architecture& model, const Place& place, config::Diagnostics& diagnostics);
/// Total and active parameters within 3 % of those stated. Says nothing where another fault was found.
void check_parameters(const Architecture& model, const Place& place, config::Diagnostics& diagnostics);

}  // namespace joulecast::llm
