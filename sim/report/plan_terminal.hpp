#pragma once

#include <string>

#include "report/table.hpp"
#include "study/plan.hpp"

namespace joulecast::report {

/// The plan as a person reads it: the winners, a row a fleet, what did not hold and why, one node fewer, where the answer turns.
std::string plan_report(const study::Plan& plan, const Style& style);

}  // namespace joulecast::report
