#include "report/table.hpp"

#include <algorithm>
#include <utility>

#include "report/numbers.hpp"

namespace joulecast::report {

std::string inked(const Style& style, Ink ink, const std::string& text) {
  if (!style.colour || ink == Ink::plain || text.empty()) return text;
  constexpr const char* codes[] = {"", "\x1b[1m", "\x1b[2m", "\x1b[32m", "\x1b[31m", "\x1b[33m"};
  return codes[static_cast<int>(ink)] + text + "\x1b[0m";
}

Cell words(std::string text, Ink ink) { return {std::move(text), ink, false}; }

std::string Table::text(const Style& style, const std::string& indent) const {
  std::vector<std::size_t> widths;
  for (const Row& row : rows_) {
    widths.resize(std::max(widths.size(), row.cells.size()));
    for (std::size_t i = 0; i < row.cells.size(); ++i) widths[i] = std::max(widths[i], display_width(row.cells[i].text));
  }
  std::string text;
  for (const Row& row : rows_) {
    std::string line = indent;
    std::size_t pending = 0;
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
      const Cell& cell = row.cells[i];
      const std::size_t space = widths[i] - display_width(cell.text);
      if (cell.right) pending += space;
      if (!cell.text.empty()) {
        line += std::string(pending, ' ') + inked(style, cell.ink, cell.text);
        pending = 0;
      }
      pending += (cell.right ? 0 : space) + 2;
    }
    if (!row.remark.empty()) line += inked(style, Ink::dim, row.remark);
    text += line + "\n";
  }
  return text;
}

}  // namespace joulecast::report
