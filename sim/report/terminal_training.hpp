#pragma once

#include <string>

#include "report/table.hpp"
#include "scenario/result.hpp"

namespace joulecast::report {

/// The rows of the training jobs; "" without any.
std::string training_rows(const scenario::Result& result, int digits, const Style& style);

}  // namespace joulecast::report
