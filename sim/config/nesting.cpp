#include "config/nesting.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "base/error.hpp"

namespace joulecast::config {
namespace {

/// The index behind the string that opens at `at`.
std::size_t behind_string(std::string_view text, std::size_t at) {
  const char quote = text[at];
  const std::string three(3, quote);
  const bool many_lines = text.substr(at, 3) == three;
  at += many_lines ? 3 : 1;
  while (at < text.size()) {
    if (quote == '"' && text[at] == '\\') {
      at += 2;
    } else if (many_lines && text.substr(at, 3) == three) {
      at += 3;
      for (int extra = 0; extra < 2 && at < text.size() && text[at] == quote; ++extra) ++at;
      return at;
    } else if (!many_lines && (text[at] == quote || text[at] == '\n')) {
      return text[at] == quote ? at + 1 : at;
    } else {
      ++at;
    }
  }
  return text.size();
}

[[noreturn]] void refuse(std::string_view text, std::size_t at, const std::string& file_name, std::string what, std::string remedy) {
  const std::string_view before = text.substr(0, at);
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const std::size_t start = before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
  throw UserError({file_name, static_cast<int>(line), static_cast<int>(at - start + 1)}, std::move(what), std::move(remedy));
}

std::size_t behind_blanks(std::string_view text, std::size_t at) { return std::min(text.find_first_not_of(" \t", at), text.size()); }

/// Refuses a table header at `at` whose name starts with what no name starts with: toml++ 3.3 takes for granted that none does.
void check_header(std::string_view text, std::size_t at, const std::string& file_name) {
  std::size_t name = behind_blanks(text, at + 1);
  if (name < text.size() && text[name] == '[') name = behind_blanks(text, name + 1);
  if (name == text.size()) return;
  const char c = text[name];
  const bool bare = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  if (bare || c == '"' || c == '\'' || c == ']') return;
  refuse(text, name, file_name, "a table's name does not start so",
         "write [name]; other than letters, digits, \"_\" and \"-\" need quotes: [\"a name\"]");
}

}  // namespace

void check_nesting(std::string_view text, const std::string& file_name) {
  constexpr int array_of_tables = 2;  // "[[a]]" is one table more than its brackets
  int brackets = 0;
  int dots = 0;
  bool line_starts = true;
  const std::size_t first = text.substr(0, 3) == "\xEF\xBB\xBF" ? 3 : 0;
  for (std::size_t at = first; at < text.size();) {
    const char c = text[at];
    if (line_starts && brackets == 0 && c == '[') check_header(text, at, file_name);
    line_starts = c == '\n' || (line_starts && (c == ' ' || c == '\t'));
    if (c == '"' || c == '\'') {
      at = behind_string(text, at);
      continue;
    }
    if (c == '#') {
      at = std::min(text.find('\n', at), text.size());
      continue;
    }
    if (static_cast<unsigned char>(c) >= 0x80) {
      refuse(text, at, file_name, "a character that TOML allows in strings and comments alone", "put it in quotes, and save the file as UTF-8");
    }
    if (c == '.') {
      ++dots;
    } else if (c == '[' || c == '{') {
      ++brackets;
      dots = 0;
    } else if (c == ']' || c == '}') {
      brackets = std::max(0, brackets - 1);
      dots = 0;
    } else if (c == '=' || c == ',' || c == '\n') {
      dots = 0;
    }
    if (brackets > kDeepest + array_of_tables || dots > kDeepest) {
      refuse(text, at, file_name, "tables or lists stand in one another more than " + std::to_string(kDeepest) + " deep", "write it flatter");
    }
    ++at;
  }
}

}  // namespace joulecast::config
