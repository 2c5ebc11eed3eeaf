#include "calibration/number_cell.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "base/error.hpp"

namespace joulecast::calibration {

double positive_cell(const traces::Delimited& rows, std::size_t column) {
  const std::string_view text = rows.cell(column);
  double value = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (fault != std::errc{} || end != text.data() + text.size() || !std::isfinite(value) || value <= 0) {
    throw UserError(rows.place(column), fmt::format("read \"{}\", expected a number above 0", text), "repair the cell or leave the row out");
  }
  return value;
}

std::int64_t count_cell(const traces::Delimited& rows, std::size_t column) {
  const double value = positive_cell(rows, column);
  if (value != std::floor(value) || value > 1e15) {
    throw UserError(rows.place(column), fmt::format("read \"{}\", expected a whole number", rows.cell(column)),
                    "repair the cell or leave the row out");
  }
  return static_cast<std::int64_t>(value);
}

std::string header_of(const std::string& path) {
  traces::TextLines lines(path);
  if (!lines.next()) throw UserError(Place{path, 0, 0}, "the table is empty", "give a table with a header and rows");
  return std::string(lines.line());
}

}  // namespace joulecast::calibration
