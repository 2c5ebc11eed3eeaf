#pragma once

#include <string>

#include "study/plan.hpp"

namespace joulecast::report {

/// plan.json: settings, every candidate with its verdict, bounds, tried fleets and figures, the winners and where the answer turns. SI units; absent parts absent.
std::string plan_json(const study::Plan& plan);
/// A line a candidate.
std::string plan_csv(const study::Plan& plan);

}  // namespace joulecast::report
