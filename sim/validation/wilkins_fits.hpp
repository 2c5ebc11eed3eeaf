#pragma once

#include <vector>

#include "validation/registry.hpp"

namespace joulecast::validation {

/// The published fits e and r = a0 tin + a1 tout + a2 tin tout of Wilkins, Keshav and Mortier done again on their `all-stats-raw.csv`, each
/// coefficient to the digits that were printed; and what a term in tout^2 is worth: centred R2 of least squares with it, and the held-out error of
/// the relative fit, whose worst model counts.
std::vector<Comparison> wilkins_fits();

}  // namespace joulecast::validation
