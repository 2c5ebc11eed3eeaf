#include "traces/delimited.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "config/node.hpp"
#include "traces/excerpt.hpp"

namespace joulecast::traces {
namespace {

constexpr bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r'; }

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

/// A column name as it is compared: lower case, without spaces.
std::string comparable(std::string_view name) {
  std::string out;
  for (const char c : name) {
    if (is_space(c)) continue;
    out += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return out;
}

}  // namespace

Delimited::Delimited(TextLines lines, std::vector<Column> columns, char delimiter)
    : lines_(std::move(lines)), columns_(std::move(columns)), delimiter_(delimiter) {
  read_header();
  find_columns();
}

void Delimited::read_header() {
  if (!lines_.next() || trimmed(lines_.line()).empty()) {
    lines_.rewind();
    bool text = false;
    while (!text && lines_.next()) text = !trimmed(lines_.line()).empty();
    if (!text) throw UserError({lines_.name(), 0, 0}, "the file is empty", "it needs a first line that names the columns, and rows after it");
    throw UserError({lines_.name(), 1, 1}, "the first line is empty, expected the names of the columns", "delete the empty lines at the top");
  }
  Split result = split();
  if (result == Split::too_many) {  // now that the number of cells is known
    cells_.resize(count_);
    begins_.resize(count_);
    result = split();
  }
  if (result == Split::open_quote) {
    throw UserError({lines_.name(), lines_.number(), 0}, "a quote in the header is not closed", "close it");
  }
  for (const std::string_view name : cells_) header_.emplace_back(name);
}

void Delimited::find_columns() {
  std::vector<std::string> there;
  for (const std::string& name : header_) there.push_back(comparable(name));
  std::vector<UserFault> faults;
  for (const Column& column : columns_) {
    int found = -1;
    for (const std::string& name : column.names) {
      for (std::size_t i = 0; i < there.size(); ++i) {
        if (there[i] != comparable(name) || found == static_cast<int>(i)) continue;
        if (found >= 0) {
          faults.push_back({{lines_.name(), lines_.number(), static_cast<int>(begins_[i]) + 1},
                            fmt::format("two columns for {}: \"{}\" and \"{}\"", column.names.front(),
                                        excerpt(header_[static_cast<std::size_t>(found)]), excerpt(header_[i])),
                            "keep one of them"});
        }
        found = static_cast<int>(i);
      }
    }
    wanted_.push_back(found);
    if (found >= 0 || !column.required) continue;
    std::string remedy = fmt::format("known names: {}", fmt::join(column.names, ", "));
    const std::string near = config::nearest(column.names.front(), header_);
    if (!near.empty()) remedy += fmt::format("; is \"{}\" meant?", excerpt(near));
    faults.push_back({{lines_.name(), lines_.number(), 1},
                      fmt::format("no column {}; the file has: {}", column.names.front(), excerpt(fmt::format("{}", fmt::join(header_, ", ")), 300)),
                      std::move(remedy)});
  }
  if (!faults.empty()) throw UserError(std::move(faults));
}

bool Delimited::next() {
  if (torn_ || !lines_.next()) return false;
  if (trimmed(lines_.line()).empty()) {
    const int line = lines_.number();
    while (lines_.next()) {
      if (trimmed(lines_.line()).empty()) continue;
      throw UserError({lines_.name(), line, 1}, "an empty line between rows", "delete it, or restore the row that stood there");
    }
    return false;
  }
  const Split result = split();
  if (result == Split::whole) return true;
  if (!lines_.terminated() && result != Split::too_many) {
    torn_ = true;
    return false;
  }
  if (result == Split::open_quote) {
    throw UserError({lines_.name(), lines_.number(), static_cast<int>(begins_[std::min(count_, begins_.size()) - 1]) + 1},
                    "a quote is not closed before the end of the file", "close it, or double a quote inside a quoted cell");
  }
  throw_count(count_);
}

Place Delimited::place(std::size_t column) const {
  const std::size_t begin = begins_[static_cast<std::size_t>(wanted_[column])];
  const std::string_view before = lines_.line().substr(0, begin);
  const auto breaks = static_cast<int>(std::count(before.begin(), before.end(), '\n'));
  const std::size_t last = before.rfind('\n');
  const std::size_t in_line = last == std::string_view::npos ? begin : begin - last - 1;
  return {lines_.name(), lines_.number() + breaks, static_cast<int>(in_line) + 1};
}

void Delimited::refuse(std::size_t column, std::string_view expected, std::string remedy, bool cut_short) {
  const bool last_cell = wanted_[column] + 1 == static_cast<int>(cells_.size());
  if (cut_short && last_cell && !lines_.terminated()) {
    torn_ = true;
    return;
  }
  throw UserError(place(column),
                  fmt::format("read \"{}\" as {}, expected {}", excerpt(cell(column)), header_[static_cast<std::size_t>(wanted_[column])], expected),
                  std::move(remedy));
}

void Delimited::rewind() {
  lines_.rewind();
  lines_.next();
  cells_.resize(header_.size());
  split();
  torn_ = false;
}

Delimited::Split Delimited::split() {
  const std::string_view line = lines_.line();
  if (std::memchr(line.data(), '"', line.size()) != nullptr) return split_quoted();
  count_ = 0;
  const char* const base = line.data();
  const char* const end = base + line.size();
  const char* p = base;
  for (;;) {
    const char* q = p;
    while (q != end && *q != delimiter_) ++q;
    const std::string_view text = trimmed({p, static_cast<std::size_t>(q - p)});
    add_cell(static_cast<std::size_t>(text.data() - base), text);
    if (q == end) break;
    p = q + 1;
  }
  if (count_ == cells_.size()) return Split::whole;
  return count_ < cells_.size() ? Split::too_few : Split::too_many;
}

/// Cells are kept as places until the record is whole: where it spans lines it grows, and may move in memory.
Delimited::Split Delimited::split_quoted() {
  pieces_.clear();
  unquoted_.clear();
  std::size_t at = 0;
  bool closed = true;
  for (;;) {
    const std::string_view line = lines_.line();
    std::size_t first = at;
    while (first < line.size() && is_space(line[first]) && line[first] != delimiter_) ++first;
    if (first < line.size() && line[first] == '"') {
      at = first;
      closed = take_quoted(at);
    } else {
      const std::size_t stop = std::min(line.find(delimiter_, at), line.size());
      const std::string_view text = trimmed(line.substr(at, stop - at));
      pieces_.push_back({first, text.size(), false});
      at = stop;
    }
    if (!closed || at == lines_.line().size()) break;
    ++at;
  }
  count_ = 0;
  std::size_t unquoted_at = 0;
  for (const Piece& piece : pieces_) {
    const std::string_view from = piece.unquoted ? std::string_view(unquoted_).substr(unquoted_at) : lines_.line().substr(piece.begin);
    if (piece.unquoted) unquoted_at += piece.size;
    add_cell(piece.begin, from.substr(0, piece.size));
  }
  if (!closed) return Split::open_quote;
  if (count_ == cells_.size()) return Split::whole;
  return count_ < cells_.size() ? Split::too_few : Split::too_many;
}

/// Takes the quoted cell that begins at `at`, which then ends on the delimiter behind it or the end of the line; false: never closed.
bool Delimited::take_quoted(std::size_t& at) {
  const std::size_t begin = at;
  const std::size_t kept = unquoted_.size();
  std::size_t taken = begin + 1, from = begin + 1;
  bool doubled = false;
  std::string_view line = lines_.line();
  for (;;) {
    const std::size_t quote = line.find('"', from);
    if (quote == std::string_view::npos) {
      from = line.size();
      if (!lines_.extend()) {
        pieces_.push_back({begin, 0, false});
        return false;
      }
      line = lines_.line();
      continue;
    }
    if (quote + 1 < line.size() && line[quote + 1] == '"') {
      unquoted_.append(line.substr(taken, quote + 1 - taken));
      doubled = true;
      taken = from = quote + 2;
      continue;
    }
    if (doubled) unquoted_.append(line.substr(taken, quote - taken));
    pieces_.push_back(doubled ? Piece{begin, unquoted_.size() - kept, true} : Piece{begin + 1, quote - begin - 1, false});
    at = quote + 1;
    while (at < line.size() && is_space(line[at]) && line[at] != delimiter_) ++at;
    if (at == line.size() || line[at] == delimiter_) return true;
    throw UserError({lines_.name(), lines_.number(), static_cast<int>(at) + 1}, "text behind a closing quote",
                    "end the cell there, or double a quote inside a quoted cell");
  }
}

void Delimited::add_cell(std::size_t begin, std::string_view text) {
  if (count_ < cells_.size()) {
    cells_[count_] = text;
    begins_[count_] = begin;
  }
  ++count_;
}

void Delimited::throw_count(std::size_t have) const {
  throw UserError({lines_.name(), lines_.number(), 1},
                  fmt::format("{} cells, expected {} as in the header: \"{}\"", have, header_.size(), excerpt(lines_.line())),
                  have < header_.size() ? "restore the missing cells (an empty cell still needs its delimiter), or delete the row"
                                        : "split the line if two rows run together, quote a cell that holds the delimiter, or delete the row");
}

}  // namespace joulecast::traces
