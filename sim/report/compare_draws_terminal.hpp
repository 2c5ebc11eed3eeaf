#pragma once

#include <string>

#include "report/table.hpp"
#include "study/compare.hpp"

namespace joulecast::report {

/// "100 draws of what profiles state of their errors, the same in all arms; ..": of a comparison with draws.
std::string drawn_how_sure(const study::Comparison& comparison);

/// What each arm's difference in energy hangs on: the sources that make most of its variance, and what would narrow the first.
std::string drawn_sources(const study::Comparison& comparison, const Style& style);

}  // namespace joulecast::report
