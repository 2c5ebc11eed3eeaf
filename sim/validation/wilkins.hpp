#pragma once

#include "validation/registry.hpp"

namespace joulecast::validation {

/// Wilkins, Keshav and Mortier, "Offline Energy-Optimal LLM Serving" (HotCarbon 2024): the energy of the 52,002 Alpaca queries on one of three models
/// each, and by round robin over the three. Their beliefs (workloads/beliefs/wilkins-2024.toml) are bilinear in the lengths, so any queries with the
/// same sums of tokens in, tokens out and their product have the same energy: these are made with those sums. Round robin is the registered policy on
/// the made order, whose expectation over orders is a third of each.
Comparison wilkins_alpaca();

}  // namespace joulecast::validation
