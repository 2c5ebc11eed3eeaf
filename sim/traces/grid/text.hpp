#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "traces/delimited.hpp"
#include "traces/text_lines.hpp"

namespace joulecast::traces {

/// The text of a series file, which a reader may go through more than once.
class SeriesText {
 public:
  /// The file at `path`, as it was written at a place.
  SeriesText(std::string path, Place written_at) : name_(std::move(path)), written_at_(std::move(written_at)) {}
  /// Text that outlives this object; `name` stands for the file in places.
  SeriesText(std::string_view text, std::string name) : name_(std::move(name)), text_(text), in_memory_(true) {}

  const std::string& name() const { return name_; }
  TextLines lines() const;
  /// All of it, for JSON; at most 64 MiB.
  std::string whole() const;
  /// The names of the columns in the first line.
  std::vector<std::string> header() const;

 private:
  std::string name_;
  Place written_at_;
  std::string_view text_;
  bool in_memory_ = false;
};

/// Of a file with rows of several locations, the rows of one: the wanted one, or the file's only one.
class Locations {
 public:
  Locations(std::string wanted, std::string what) : wanted_(std::move(wanted)), what_(std::move(what)) {}
  /// Whether a row belongs to the series.
  bool keeps(std::string_view location);
  /// After the last row. UserError: several locations and none wanted, or the wanted one is not there (the message lists them, with the nearest).
  void check(const std::string& file, const Place& options) const;

 private:
  std::string wanted_, what_;
  std::vector<std::string> seen_;
};

/// The value of a cell, absent where the file has a word for "none" there ("", n/e, N/A, null, NaN, -). False: the row was torn off inside the cell,
/// and is none. UserError for what is no number of a size that a price or an intensity may have.
bool read_value(Delimited& rows, std::size_t column, std::optional<double>& value);
/// The same for a text; `what` and `place` for the message.
std::optional<double> read_number(std::string_view text, std::string_view what, const Place& place);

/// After the last row: a torn one is refused unless `torn_last_row` is "drop", then noted.
void check_torn(const Delimited& rows, const std::string& torn_last_row, std::vector<std::string>& notes);

}  // namespace joulecast::traces
