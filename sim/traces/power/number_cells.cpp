#include "traces/power/number_cells.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "traces/cell_values.hpp"

namespace joulecast::traces {
namespace {

/// Could the text be the beginning of a number? Then a cell at the torn end of a file is no fault.
bool begins_a_number(std::string_view text) { return text.find_first_not_of("+-0123456789.eE") == std::string_view::npos; }

}  // namespace

std::optional<double> read_double(std::string_view text) {
  if (text.starts_with('+') && text.size() > 1 && text[1] != '-') text.remove_prefix(1);
  double value = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || stop != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

std::optional<double> number_cell(Delimited& rows, std::size_t column, std::string_view what) {
  const std::optional<double> value = read_double(rows.cell(column));
  if (!value) rows.refuse(column, what, "write a decimal number in that cell", begins_a_number(rows.cell(column)));
  return value;
}

std::optional<double> positive_cell(Delimited& rows, std::size_t column, std::string_view what) {
  const std::optional<double> value = number_cell(rows, column, what);
  if (value && *value <= 0) {
    rows.refuse(column, fmt::format("{} above 0", what), "measure that row again, or delete it: nothing takes no time and no energy", false);
  }
  return value;
}

std::optional<std::int32_t> whole_cell(Delimited& rows, std::size_t column, std::string_view what) {
  std::int32_t value = 0;
  const Reading reading = read_tokens(rows.cell(column), value);
  if (reading == Reading::good) return value;
  rows.refuse(column, what, "write a whole number in that cell", reading == Reading::cut);
  return std::nullopt;
}

}  // namespace joulecast::traces
