#pragma once

#include <vector>

#include "config/diagnostics.hpp"
#include "config/node.hpp"

namespace joulecast::scenario {

/// Whether a node says the values of a key: a list, or { from, to, steps, spacing }. Another table holds further keys.
bool says_values(const config::Node& node);

/// The values of a key, one a point of its dimension: those of the list, or `steps` from `from` to `to`, evenly spaced ("linear") or evenly in the logarithm
/// ("log"), in the unit in which both ends are written. Each has the place where it was written. Reports faults; empty then.
std::vector<config::Node> values_of(const config::Node& node, const std::string& key, config::Diagnostics& diagnostics);

}  // namespace joulecast::scenario
