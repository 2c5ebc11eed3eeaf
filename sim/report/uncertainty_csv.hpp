#pragma once

#include <string>

#include "study/uncertainty.hpp"

namespace joulecast::report {

/// uncertainty.csv: a row a draw: its number and seed; under "factor.NAME" what each source's figure was multiplied by; the headline figures by their keys, SI
/// base units, empty where the draw has none.
std::string uncertainty_csv(const study::Uncertainty& known);

}  // namespace joulecast::report
