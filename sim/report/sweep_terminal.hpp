#pragma once

#include <string>

#include "report/table.hpp"
#include "study/sweep.hpp"

namespace joulecast::report {

/// A sweep for people: what was varied, the points of the Pareto front with their objectives, the best by each objective, what failed.
std::string sweep_report(const study::Sweep& sweep, const Style& style);

}  // namespace joulecast::report
