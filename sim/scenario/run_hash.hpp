#pragma once

#include <functional>
#include <string>

#include "scenario/scenario.hpp"

namespace joulecast::scenario {

/// `run_hash` where someone knows the SHA-256 of inputs already, by their paths.
std::string run_hash(const Scenario& scenario, const std::function<std::string(const std::string&)>& input_hash);

}  // namespace joulecast::scenario
