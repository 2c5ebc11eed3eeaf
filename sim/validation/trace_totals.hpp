#pragma once

#include <vector>

#include "validation/registry.hpp"

namespace joulecast::validation {

/// The two Azure traces of 2023: requests, input and output tokens as the reader counts them, against the published files' rows and sums.
/// One comparison a trace, by rising id. Needs traces/azure-llm in the folder of measured data.
std::vector<Comparison> azure_traces();

}  // namespace joulecast::validation
