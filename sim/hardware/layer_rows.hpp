#pragma once

#include <string>
#include <vector>

#include "base/error.hpp"
#include "traces/delimited.hpp"

namespace joulecast::hardware {

/// Rows of one file of a published layer profile.
class LayerRows {
 public:
  /// Throws UserError where the file is not there or lacks a column.
  LayerRows(const std::string& path, const std::vector<std::string>& columns);

  /// Throws UserError for a file without rows, or whose last row was cut off.
  bool next();
  std::string text(std::size_t column) const { return std::string(table_.cell(column)); }
  Place place() const { return table_.place(0); }
  /// A number of at least 0.
  double number(std::size_t column) const;
  /// Positive microseconds as seconds.
  double seconds(std::size_t column) const;

 private:
  std::string path_;
  traces::Delimited table_;
  bool any_ = false;
};

}  // namespace joulecast::hardware
