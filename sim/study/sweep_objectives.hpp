#pragma once

#include <string>
#include <vector>

#include "scenario/tables/sweep.hpp"
#include "study/figures.hpp"

namespace joulecast::study {

/// The keys of the figures that a sweep's Pareto front is taken over. A figure of energy or power without a boundary is at that of the settings. Where none is
/// named: joules an output token and the p99 TTFT of every traffic; joules and seconds an iteration of every job.
std::vector<std::string> objectives_of(const scenario::SweepSettings& settings, const std::vector<std::string>& traffics,
                                       const std::vector<std::string>& jobs);

/// Throws UserError for objectives that are no figures of such a scenario, with the nearest figure, and for one that has no better direction.
void check_objectives(const scenario::SweepSettings& settings, const std::vector<std::string>& traffics, const std::vector<std::string>& jobs);

}  // namespace joulecast::study
