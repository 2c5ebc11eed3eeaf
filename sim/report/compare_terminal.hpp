#pragma once

#include <string>

#include "report/table.hpp"
#include "study/compare.hpp"

namespace joulecast::report {

/// A comparison for people: a row an arm, first the arms' own figures, then what each differs from the reference by.
std::string compare_report(const study::Comparison& comparison, const Style& style);

}  // namespace joulecast::report
