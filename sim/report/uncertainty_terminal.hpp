#pragma once

#include <string>

#include "report/table.hpp"
#include "study/uncertainty.hpp"

namespace joulecast::report {

/// For people: the headline figures with their 80 % intervals, and where these come from: for energy a token (or an iteration) and for latency the sources
/// that make most of the variance, with what would narrow the first.
std::string uncertainty_report(const study::Uncertainty& known, const Style& style);

}  // namespace joulecast::report
