#pragma once

#include <string>

#include "scenario/result.hpp"
#include "study/uncertainty.hpp"

namespace joulecast::report {

/// summary.json: SI base units, stable keys; a part that is absent or not known (NaN) is absent, never 0 or null. Doubles are printed as
/// the shortest text that reads back the same. `interval80` is value * (1 -+ relative half-width) of the result's spread.
/// `known` of the same run: `interval80` is then of its draws, on every headline figure, and `uncertainty` says how it was drawn and what it comes from.
std::string summary_json(const scenario::Result& result, const study::Uncertainty* known = nullptr);

/// summary.csv: the same figures as one row under one row of keys joined by dots; an interval's ends are `.low` and `.high`.
std::string summary_csv(const scenario::Result& result, const study::Uncertainty* known = nullptr);

}  // namespace joulecast::report
