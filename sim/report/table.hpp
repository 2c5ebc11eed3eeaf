#pragma once

#include <initializer_list>
#include <string>
#include <vector>

namespace joulecast::report {

/// How text for a terminal looks.
struct Style {
  bool colour = false;
};

enum class Ink { plain, heading, dim, good, bad, warn };

/// `text` in the ink's colour where the style has colours.
std::string inked(const Style& style, Ink ink, const std::string& text);

/// A cell of a table; `right` sets numbers flush right.
struct Cell {
  std::string text;
  Ink ink = Ink::plain;
  bool right = true;
};
/// A cell of words, flush left.
Cell words(std::string text, Ink ink = Ink::plain);

/// Rows of cells whose columns are as wide as their widest cell, two spaces apart, no trailing spaces.
class Table {
 public:
  void row(std::vector<Cell> cells) { rows_.push_back({std::move(cells), {}}); }
  /// A line of its own below the last row, beside no column.
  void remark(std::string text) { rows_.push_back({{}, std::move(text)}); }
  std::string text(const Style& style, const std::string& indent = "") const;

 private:
  struct Row {
    std::vector<Cell> cells;
    std::string remark;
  };
  std::vector<Row> rows_;
};

}  // namespace joulecast::report
