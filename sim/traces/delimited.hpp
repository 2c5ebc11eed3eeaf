#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "traces/text_lines.hpp"

namespace joulecast::traces {

/// A column that a reader wants: the names under which files have it. Names are compared without case and spaces.
struct Column {
  std::vector<std::string> names;  ///< the usual one first
  bool required = true;
};

/// Rows of a delimited text whose first line names the columns; other columns may stand between and behind the wanted ones. A cell may be
/// quoted ("" inside is a quote, line ends are allowed); spaces around a cell do not count. Every row has as many cells as the header: fewer or
/// more is a UserError with the line, and so is an empty line with rows after it. A last line without a line end that has too few cells, an open
/// quote, or a last cell that only begins as it should, was cut off: it is left out and `torn` says so.
class Delimited {
 public:
  /// Reads the header. UserError: an empty file; a wanted column that is absent (the message lists what is there and the known names) or double.
  Delimited(TextLines lines, std::vector<Column> columns, char delimiter = ',');

  /// Steps to the next row; false at the end.
  bool next();
  /// A cell of the current row, by the position of its column in the wanted ones; valid until `next`.
  std::string_view cell(std::size_t column) const { return cells_[static_cast<std::size_t>(wanted_[column])]; }
  bool has(std::size_t column) const { return wanted_[column] >= 0; }
  Place place(std::size_t column) const;
  /// Refuses a cell: throws UserError "read ..., expected ...", unless the cell is the last of a last line without a line end and `cut_short`:
  /// then the row is taken as torn and the caller treats it as the end.
  void refuse(std::size_t column, std::string_view expected, std::string remedy, bool cut_short);
  bool torn() const { return torn_; }
  /// The start of the line last read.
  Place line_place() const { return {lines_.name(), lines_.number(), 1}; }
  void rewind();

 private:
  enum class Split : std::uint8_t { whole, too_few, too_many, open_quote };

  struct Piece {
    std::size_t begin, size;  ///< in the line; of an unquoted text, `size` bytes of `unquoted_`
    bool unquoted;
  };

  void read_header();
  void find_columns();
  Split split();
  Split split_quoted();
  bool take_quoted(std::size_t& at);
  void add_cell(std::size_t begin, std::string_view text);
  [[noreturn]] void throw_count(std::size_t have) const;

  TextLines lines_;
  std::vector<Column> columns_;
  char delimiter_;
  std::vector<std::string> header_;
  std::vector<int> wanted_;  ///< place in the header of each wanted column, -1 where absent
  std::vector<std::string_view> cells_;
  std::vector<std::size_t> begins_;  ///< where each cell begins in the line
  std::size_t count_ = 0;            ///< cells found in the current row, those beyond the header included
  std::vector<Piece> pieces_;
  std::string unquoted_;  ///< text of cells with doubled quotes
  bool torn_ = false;
};

}  // namespace joulecast::traces
