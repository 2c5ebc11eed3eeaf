#pragma once

#include <string>

#include "report/table.hpp"
#include "scenario/result.hpp"
#include "study/uncertainty.hpp"

namespace joulecast::report {

/// What a run found out, for people, in at most 100 columns for names of usual length: requests and audit; energy and power at the
/// boundaries with their 80 % interval; GPU energy by state; traffics; pools; cost; carbon; where the figures come from; notes. Figures
/// have three significant digits; what is not known is a dash or not there.
std::string terminal_report(const scenario::Result& result, const Style& style, const study::Uncertainty* known = nullptr);

}  // namespace joulecast::report
