#pragma once

#include "validation/registry.hpp"

namespace joulecast::validation {

/// The exact optimum of Wilkins' routing over 52,002 queries with the moments of Alpaca (sums of tokens in, out and their product), shares .05/.20/.75 of
/// the 7B, 13B and 70B model, accuracy a token: kWh at five zetas from `energy_optimal`, against the same linear program solved by HiGHS. Workloads
/// with these moments have different optima: this one is spread over ten prompt and ten answer lengths.
Comparison wilkins_optimum();

}  // namespace joulecast::validation
