#include <fmt/format.h>

#include <cmath>

#include "config/inline_text.hpp"
#include "config/node.hpp"

namespace joulecast::config {
namespace {

constexpr std::size_t kWidth = 120;

std::string text_of(bool value) { return value ? "true" : "false"; }
std::string text_of(std::int64_t value) { return fmt::format("{}", value); }
std::string text_of(const std::string& value) { return quoted(value); }

std::string text_of(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

std::string text_of(const DateTime& t) {
  std::string text = fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}", t.year, t.month, t.day, t.hour, t.minute, t.second);
  if (t.nanosecond != 0) text += fmt::format(".{:09}", t.nanosecond);
  if (!t.has_offset) return text;
  const int minutes = std::abs(t.offset_minutes);
  return text + fmt::format("{}{:02}:{:02}", t.offset_minutes < 0 ? '-' : '+', minutes / 60, minutes % 60);
}

std::string text_of(const Node::Array& array) {
  std::string text = "[";
  for (const Node& element : array) text += (text.size() > 1 ? ", " : "") + inline_text(element);
  return text + "]";
}

std::string text_of(const Table& table) {
  if (table.entries.empty()) return "{}";
  std::string text = "{ ";
  for (const Table::Entry& entry : table.entries) {
    text += (text.size() > 2 ? ", " : "") + key_text(entry.key) + " = " + inline_text(*entry.value);
  }
  return text + " }";
}

/// A list too long for a line, filled into several.
std::string filled(const Node::Array& array) {
  std::string text = "[\n";
  std::string line = " ";
  for (const Node& element : array) {
    const std::string word = " " + inline_text(element) + ",";
    if (line.size() > 1 && line.size() + word.size() > kWidth) {
      text += line + "\n";
      line = " ";
    }
    line += word;
  }
  return text + line + "\n]";
}

/// `[a]` and `[a.b]` are sections; deeper tables only where a line would not hold them.
bool is_section(const Node& node, std::size_t depth) {
  constexpr std::size_t sections = 2;
  return node.as<Table>() != nullptr && (depth < sections || inline_text(node).size() > kWidth);
}

void write_table(const Table& table, const std::string& path, std::size_t depth, std::string& out) {
  bool header_needed = depth > 0;
  const auto header = [&] {
    if (!header_needed) return;
    out += (out.empty() ? "[" : "\n[") + path + "]\n";
    header_needed = false;
  };
  if (table.entries.empty()) header();
  for (const Table::Entry& entry : table.entries) {
    if (is_section(*entry.value, depth)) continue;
    header();
    const std::string key = key_text(entry.key);
    std::string text = inline_text(*entry.value);
    const auto* array = entry.value->as<Node::Array>();
    if (array != nullptr && key.size() + 3 + text.size() > kWidth) text = filled(*array);
    out += key + " = " + text + "\n";
  }
  for (const Table::Entry& entry : table.entries) {
    if (!is_section(*entry.value, depth)) continue;
    const std::string key = key_text(entry.key);
    write_table(*entry.value->as<Table>(), path.empty() ? key : path + "." + key, depth + 1, out);
  }
}

}  // namespace

std::string inline_text(const Node& node) {
  return std::visit([](const auto& value) { return text_of(value); }, node.value());
}

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else if (byte < 0x20 || byte == 0x7f) {
      out += fmt::format("\\u{:04X}", byte);
    } else {
      out += c;
    }
  }
  return out + "\"";
}

std::string key_text(std::string_view key) {
  const auto bare = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-'; };
  for (const char c : key) {
    if (!bare(c)) return quoted(key);
  }
  return key.empty() ? quoted(key) : std::string(key);
}

std::string write(const Node& root) {
  const Table* table = root.as<Table>();
  if (table == nullptr) return inline_text(root);
  std::string out;
  write_table(*table, "", 0, out);
  return out;
}

}  // namespace joulecast::config
