#pragma once

#include <string>

#include "scenario/result.hpp"

namespace joulecast::report {

/// summary.json: SI base units, stable keys; a part that is absent or not known (NaN) is absent, never 0 or null. Doubles are printed as
/// the shortest text that reads back the same. `interval80` is value * (1 -+ relative half-width) of the result's spread.
std::string summary_json(const scenario::Result& result);

/// summary.csv: the same figures as one row under one row of keys joined by dots; an interval's ends are `.low` and `.high`.
std::string summary_csv(const scenario::Result& result);

}  // namespace joulecast::report
