#include "report/html/figure_table.hpp"

#include <fmt/format.h>

#include <utility>

namespace joulecast::report {

namespace {

using Replacements = std::vector<std::pair<std::string_view, std::string_view>>;

/// Every occurrence replaced, the earliest entry that fits at a place first.
std::string replaced(std::string_view text, const Replacements& replacements) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    bool found = false;
    for (const auto& [what, with] : replacements) {
      if (text.substr(at, what.size()) != what) continue;
      out += with;
      at += what.size();
      found = true;
      break;
    }
    if (!found) out += text[at++];
  }
  return out;
}

std::string markdown_text(std::string_view text) {
  return replaced(text, {{"|", "\\|"}, {"\n", " "}, {"\r", " "}, {"<", "&lt;"}, {"*", "\\*"}, {"`", "\\`"}, {"[", "\\["}});
}

std::string latex_text(std::string_view text) {
  return replaced(text, {{"\\", "\\textbackslash{}"},
                         {"&", "\\&"},
                         {"%", "\\%"},
                         {"$", "\\$"},
                         {"#", "\\#"},
                         {"_", "\\_"},
                         {"{", "\\{"},
                         {"}", "\\}"},
                         {"~", "\\textasciitilde{}"},
                         {"^", "\\textasciicircum{}"},
                         {"±", "$\\pm$"},
                         {"µ", "$\\mu$"},
                         {"–", "--"},
                         {"·", "$\\cdot$"},
                         {"≤", "$\\leq$"},
                         {"<", "\\textless{}"},
                         {">", "\\textgreater{}"},
                         {"\n", " "}});
}

}  // namespace

std::string html_text(std::string_view text) {
  return replaced(text, {{"&", "&amp;"}, {"<", "&lt;"}, {">", "&gt;"}, {"\"", "&quot;"}, {"'", "&#39;"}});
}

std::string html(const FigureTable& table) {
  std::string out = fmt::format("<div class=\"table\" tabindex=\"0\" role=\"region\" aria-label=\"{0}\"><table><caption>{0}</caption><thead><tr>",
                                html_text(table.caption));
  for (const std::string& column : table.columns) out += fmt::format("<th scope=\"col\">{}</th>", html_text(column));
  out += "</tr></thead><tbody>\n";
  for (const auto& row : table.rows) {
    out += "<tr>";
    for (std::size_t c = 0; c < row.size(); ++c) {
      out += c == 0 ? fmt::format("<th scope=\"row\">{}</th>", html_text(row[c])) : fmt::format("<td>{}</td>", html_text(row[c]));
    }
    out += "</tr>\n";
  }
  out += "</tbody></table></div>\n";
  if (!table.note.empty()) out += fmt::format("<p class=\"note\">{}</p>\n", html_text(table.note));
  return out;
}

std::string markdown(const FigureTable& table) {
  std::string out = fmt::format("### {}\n\n|", markdown_text(table.caption)), rule = "|";
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    out += fmt::format(" {} |", markdown_text(table.columns[c]));
    rule += c == 0 ? " --- |" : " ---: |";
  }
  out += "\n" + rule + "\n";
  for (const auto& row : table.rows) {
    out += "|";
    for (const std::string& cell : row) out += fmt::format(" {} |", markdown_text(cell));
    out += "\n";
  }
  if (!table.note.empty()) out += "\n" + markdown_text(table.note) + "\n";
  return out;
}

std::string latex(const FigureTable& table) {
  const std::string columns = "l" + std::string(table.columns.empty() ? 0 : table.columns.size() - 1, 'r');
  std::string out = fmt::format("\\begin{{table}}\n  \\centering\n  \\caption{{{}}}\n  \\begin{{tabular}}{{{}}}\n    \\toprule\n    ",
                                latex_text(table.caption), columns);
  const auto line = [&](const std::vector<std::string>& cells) {
    for (std::size_t c = 0; c < cells.size(); ++c) out += (c == 0 ? "" : " & ") + latex_text(cells[c]);
    out += " \\\\\n";
  };
  line(table.columns);
  out += "    \\midrule\n";
  for (const auto& row : table.rows) {
    out += "    ";
    line(row);
  }
  out += "    \\bottomrule\n  \\end{tabular}\n";
  if (!table.note.empty()) out += "  \\\\[1ex] \\footnotesize " + latex_text(table.note) + "\n";
  return out + "\\end{table}\n";
}

}  // namespace joulecast::report
