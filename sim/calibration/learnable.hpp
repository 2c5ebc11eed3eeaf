#pragma once

#include <vector>

#include "calibration/log_facts.hpp"

namespace joulecast::calibration {

/// Which figures of a GPU profile the log can give, and for the others which measurement would.
std::vector<Learnable> learnable(const traces::PowerLog& log, const LogFacts& facts);

}  // namespace joulecast::calibration
