#include "config/schema_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace joulecast::config {
namespace {

using Row = std::array<std::string, 5>;

void add_rows(const std::vector<Parameter>& parameters, const std::string& path, std::vector<Row>& rows) {
  for (const Parameter& parameter : parameters) {
    const std::string key = path + key_text(parameter.key);
    const std::string type = parameter.unit.empty() ? parameter.type : fmt::format("{} [{}]", parameter.type, parameter.unit);
    const std::string otherwise = parameter.later ? "not yet supported" : parameter.required ? "required" : parameter.default_text;
    rows.push_back({key, parameter.later ? "" : type, otherwise, parameter.bounds, parameter.text});
    add_rows(parameter.nested, key + (parameter.type == "tables" ? ".NAME." : "."), rows);
  }
}

std::string json_string(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (byte < 0x20) {
      out += fmt::format("\\u{:04x}", byte);
    } else {
      out += c;
    }
  }
  return out + "\"";
}

std::string json_keys(const std::vector<Parameter>& parameters) {
  std::string out = "[";
  for (const Parameter& parameter : parameters) {
    if (out.size() > 1) out += ", ";
    out += fmt::format("{{\"key\": {}, \"type\": {}", json_string(parameter.key), json_string(parameter.type));
    const auto member = [&](const char* name, const std::string& text) {
      if (!text.empty()) out += fmt::format(", \"{}\": {}", name, json_string(text));
    };
    member("unit", parameter.unit);
    member("default", parameter.default_text);
    member("bounds", parameter.bounds);
    member("text", parameter.text);
    out += fmt::format(", \"required\": {}, \"later\": {}", parameter.required, parameter.later);
    if (!parameter.nested.empty()) out += ", \"keys\": " + json_keys(parameter.nested);
    out += "}";
  }
  return out + "]";
}

}  // namespace

std::string schema_text(const std::string& title, const std::vector<Parameter>& parameters) {
  std::vector<Row> rows = {{"key", "type", "default", "bounds", ""}};
  add_rows(parameters, "", rows);
  constexpr std::size_t widest = 40;
  std::array<std::size_t, 4> width{};
  for (const Row& row : rows) {
    for (std::size_t column = 0; column < width.size(); ++column) {
      if (row[column].size() <= widest) width[column] = std::max(width[column], row[column].size());
    }
  }
  std::string out = title + "\n";
  for (const Row& row : rows) {
    std::string line = " ";
    for (std::size_t column = 0; column < width.size(); ++column) line += fmt::format(" {:<{}} ", row[column], width[column]);
    line += " " + row.back();
    out += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return out;
}

std::string schema_json(const std::string& title, const std::vector<Parameter>& parameters) {
  return fmt::format("{{\"title\": {}, \"keys\": {}}}\n", json_string(title), json_keys(parameters));
}

}  // namespace joulecast::config
