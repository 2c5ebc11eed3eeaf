#pragma once

#include <string>

#include "study/compare.hpp"

namespace joulecast::report {

/// compare.json: settings and seeds, each figure's unit, and for each arm its values, with intervals, by replication too, its differences to the reference
/// and, with hold = "slo", its load. SI base units, stable keys; what is not known is absent.
std::string compare_json(const study::Comparison& comparison);

/// compare.csv: a row an arm and a figure.
std::string compare_csv(const study::Comparison& comparison);

}  // namespace joulecast::report
