#pragma once

#include <string>
#include <string_view>

namespace joulecast {

/// A text as a cell of a CSV file (RFC 4180): in quotes, its own doubled, where it holds a comma, a quote or a line's end.
std::string csv_cell(std::string_view text);

}  // namespace joulecast
