#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "traces/delimited.hpp"

namespace joulecast::traces {

/// A decimal number as a double ("12", "-0.25", "+0.32", "1e-05"), finite; nothing where the text is something else.
std::optional<double> read_double(std::string_view text);

/// A cell that must hold a number above 0; throws UserError at its place otherwise. `what` names the quantity and its unit ("a time in seconds").
/// Nothing where the row was cut off at the end of the file: it is then the end.
std::optional<double> positive_cell(Delimited& rows, std::size_t column, std::string_view what);
/// The same for any number.
std::optional<double> number_cell(Delimited& rows, std::size_t column, std::string_view what);
/// The same for a whole number, 0 or more.
std::optional<std::int32_t> whole_cell(Delimited& rows, std::size_t column, std::string_view what);

}  // namespace joulecast::traces
