#pragma once

#include <cstdint>
#include <string>

#include "traces/delimited.hpp"

namespace joulecast::calibration {

/// A cell as a number above 0; UserError with its place for anything else.
double positive_cell(const traces::Delimited& rows, std::size_t column);
/// A cell as a whole number above 0.
std::int64_t count_cell(const traces::Delimited& rows, std::size_t column);

/// The first line of a file, for telling formats apart. Throws UserError where there is none.
std::string header_of(const std::string& path);

}  // namespace joulecast::calibration
