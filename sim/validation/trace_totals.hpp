#pragma once

#include <vector>

#include "validation/registry.hpp"

namespace joulecast::validation {

/// Requests, input and output tokens of public traces as the readers count them, against rows and sums counted apart; one comparison a trace, by
/// rising id. The Azure traces of 2023 are as published (exact). vidur's are the same in another form, so their totals are the Azure traces'
/// (derived). Mooncake's are those of the copy in the folder of measured data, with what an endless prefix cache would find (regression).
std::vector<Comparison> trace_totals();

}  // namespace joulecast::validation
