#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace joulecast::report {

/// A table of results as people read it, for a page or a paper. The first column holds words, the others figures.
struct FigureTable {
  std::string caption;
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;
  std::string note = {};  ///< a line below; "" for none
};

/// Text as HTML shows it: & < > " ' are written as entities.
std::string html_text(std::string_view text);

std::string html(const FigureTable& table);
/// A heading and a pipe table, as GitHub renders it.
std::string markdown(const FigureTable& table);
/// A `table` with a `tabular` that needs the package booktabs alone.
std::string latex(const FigureTable& table);

}  // namespace joulecast::report
