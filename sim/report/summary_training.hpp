#pragma once

#include <nlohmann/json_fwd.hpp>

#include "scenario/result.hpp"

namespace joulecast::report {

/// `training` of summary.json: a job's iterations, where their time and joules went, and its clock plan.
nlohmann::ordered_json training_summary(const scenario::Result& result);

}  // namespace joulecast::report
