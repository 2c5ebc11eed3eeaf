#pragma once

#include "reference_serving/problem.hpp"

namespace joulecast::reference {

/// The rules of a vLLM V1 replica written down a second time, as plainly as they can be: one loop over steps and arrivals, one list entry a request,
/// one number a KV block, every sum over a step's members done anew. The accounts are closed at the horizon, which must be set.
Answer solve(const Problem& problem);

}  // namespace joulecast::reference
