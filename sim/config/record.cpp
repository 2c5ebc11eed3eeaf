#include "config/record.hpp"

#include <fmt/format.h>

#include <cmath>

namespace joulecast::config::detail {

std::string joined(const std::vector<std::string>& words, std::string_view separator) { return fmt::format("{}", fmt::join(words, separator)); }

std::string bounds_text(const Bounds& bounds, const std::string& unit) {
  const auto number = [&](double value) { return unit.empty() ? fmt::format("{}", value) : fmt::format("{} {}", value, unit); };
  const bool below = std::isfinite(bounds.least), above = std::isfinite(bounds.most);
  if (below && above) return fmt::format("{}{} .. {}", bounds.least_is_open ? "above " : "", number(bounds.least), number(bounds.most));
  if (below) return (bounds.least_is_open ? "> " : ">= ") + number(bounds.least);
  if (above) return "<= " + number(bounds.most);
  return "";
}

void check_bounds(const Bounds& bounds, double value, const std::string& unit, const Node& node, Diagnostics& diagnostics, std::string_view key) {
  const bool inside = bounds.least_is_open ? value > bounds.least : value >= bounds.least;
  if (inside && value <= bounds.most) return;
  const std::string read = node.as<Node::Array>() != nullptr ? fmt::format("{} {}", value, unit) : write(node);
  diagnostics.error(
      node.place(), fmt::format("{} is out of bounds: {}", subject(key), read),
      fmt::format("write a value {}{}", bounds.least_is_open || !std::isfinite(bounds.least) || !std::isfinite(bounds.most) ? "" : "in ",
                  bounds_text(bounds, unit)));
}

void missing_key(const Parameter& parameter, const std::string& title, const Place& place, Diagnostics& diagnostics) {
  const std::string written = parameter.type == "tables"  ? fmt::format("a table [{}.NAME]", parameter.key)
                              : parameter.type == "table" ? fmt::format("a table [{}]", parameter.key)
                                                          : fmt::format("{} = {}", parameter.key, parameter.example);
  diagnostics.error(place, fmt::format("{} lacks {}{}{}", title, quoted(parameter.key), parameter.text.empty() ? "" : ": ", parameter.text),
                    fmt::format("add {}", written));
}

void unknown_keys(const Table& table, const std::vector<Parameter>& known, const std::string& title, Diagnostics& diagnostics) {
  std::vector<std::string> supported;
  for (const Parameter& parameter : known) {
    if (!parameter.later) supported.push_back(parameter.key);
  }
  for (const Table::Entry& entry : table.entries) {
    bool found = false;
    for (const Parameter& parameter : known) found = found || parameter.key == entry.key;
    if (found) continue;
    const std::string close = nearest(entry.key, supported);
    diagnostics.error(entry.place, fmt::format("unknown key {} in {}", quoted(entry.key), title),
                      close.empty() ? "known keys: " + joined(supported, ", ") : fmt::format("did you mean {}?", quoted(close)));
  }
}

const Table* as_table(const Node& node, Diagnostics& diagnostics, std::string_view key) {
  const Table* table = node.as<Table>();
  if (table == nullptr) wrong_kind(node, "table", "{ ... }", diagnostics, key);
  return table;
}

void wrong_choice(const Node& node, const std::string& read, const std::vector<std::string>& choices, Diagnostics& diagnostics,
                  std::string_view key) {
  const std::string close = nearest(read, choices);
  std::vector<std::string> words;
  for (const std::string& choice : choices) words.push_back(quoted(choice));
  diagnostics.error(node.place(), fmt::format("{} does not know {}", subject(key), quoted(read)),
                    close.empty() ? "write one of " + joined(words, ", ") : fmt::format("did you mean {}?", quoted(close)));
}

}  // namespace joulecast::config::detail
