#include "config/reads.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace joulecast::config {
namespace detail {
namespace {

/// What was read, for a message: the value itself where it is short.
std::string shown(const Node& node) {
  constexpr std::size_t longest = 60;
  if (node.as<Table>() != nullptr || node.as<Node::Array>() != nullptr) return std::string(node.kind());
  const std::string text = write(node);
  return text.size() > longest ? std::string(node.kind()) : text;
}

}  // namespace

std::string subject(std::string_view key) { return key.empty() ? "the value" : quoted(key); }

void wrong_kind(const Node& node, std::string_view expected, const std::string& example, Diagnostics& diagnostics, std::string_view key) {
  const std::string_view article = expected.empty() || std::string_view("aeiou").find(expected.front()) == std::string_view::npos ? "a" : "an";
  const std::string written = key.empty() ? example : fmt::format("{} = {}", key, example);
  diagnostics.error(node.place(), fmt::format("{} expects {} {}, read {}", subject(key), article, expected, shown(node)),
                    fmt::format("write for example: {}", written));
}

std::optional<Measured> read_measured(const Node& node, const Dimension& wanted, Diagnostics& diagnostics, std::string_view key) {
  if (const auto* text = node.as<std::string>()) return parse_measured(*text, wanted, node.place(), diagnostics, key);
  const std::string example = example_of(wanted);
  if (node.as<std::int64_t>() != nullptr || node.as<double>() != nullptr) {
    diagnostics.error(node.place(), fmt::format("{} needs a unit of {}, read {}", subject(key), dimension_name(wanted), shown(node)),
                      fmt::format("write it with a unit and in quotes, for example \"{}\"", example));
  } else {
    wrong_kind(node, dimension_name(wanted), quoted(example), diagnostics, key);
  }
  return std::nullopt;
}

}  // namespace detail

std::optional<bool> Reads<bool>::read(const Node& node, Diagnostics& diagnostics, std::string_view key) {
  if (const bool* value = node.as<bool>()) return *value;
  const auto* text = node.as<std::string>();
  if (text != nullptr && (*text == "true" || *text == "false")) {
    diagnostics.error(node.place(), fmt::format("{} expects a boolean, read the string {}", detail::subject(key), quoted(*text)),
                      fmt::format("write {} without quotes", *text));
  } else {
    detail::wrong_kind(node, type(), example(), diagnostics, key);
  }
  return std::nullopt;
}

std::optional<std::int64_t> Reads<std::int64_t>::read(const Node& node, Diagnostics& diagnostics, std::string_view key) {
  if (const auto* value = node.as<std::int64_t>()) return *value;
  const auto* text = node.as<std::string>();
  if (const auto* number = node.as<double>()) {
    const bool whole = std::isfinite(*number) && std::floor(*number) == *number && std::abs(*number) < 1e15;
    diagnostics.error(node.place(), fmt::format("{} expects an integer, read {}", detail::subject(key), write(node)),
                      whole ? fmt::format("write {:.0f}", *number) : "write a whole number");
  } else if (text != nullptr && !text->empty() && text->size() < 19 && text->find_first_not_of("0123456789") == std::string::npos) {
    diagnostics.error(node.place(), fmt::format("{} expects an integer, read the string {}", detail::subject(key), quoted(*text)),
                      fmt::format("write {} without quotes", *text));
  } else {
    detail::wrong_kind(node, type(), example(), diagnostics, key);
  }
  return std::nullopt;
}

std::optional<int> Reads<int>::read(const Node& node, Diagnostics& diagnostics, std::string_view key) {
  const auto value = Reads<std::int64_t>::read(node, diagnostics, key);
  if (!value) return std::nullopt;
  if (*value < std::numeric_limits<int>::min() || *value > std::numeric_limits<int>::max()) {
    diagnostics.error(node.place(), fmt::format("{} is out of range: {}", detail::subject(key), *value),
                      fmt::format("write an integer up to {}", std::numeric_limits<int>::max()));
    return std::nullopt;
  }
  return static_cast<int>(*value);
}

std::optional<double> Reads<double>::read(const Node& node, Diagnostics& diagnostics, std::string_view key) {
  if (const auto* value = node.as<std::int64_t>()) return static_cast<double>(*value);
  if (const auto* value = node.as<double>()) {
    if (std::isfinite(*value)) return *value;
    diagnostics.error(node.place(), fmt::format("{} is not a finite number: {}", detail::subject(key), write(node)), "write a finite number");
    return std::nullopt;
  }
  detail::wrong_kind(node, type(), example(), diagnostics, key);
  return std::nullopt;
}

std::optional<std::string> Reads<std::string>::read(const Node& node, Diagnostics& diagnostics, std::string_view key) {
  if (const auto* value = node.as<std::string>()) return *value;
  if (node.as<Table>() != nullptr || node.as<Node::Array>() != nullptr) {
    detail::wrong_kind(node, type(), example(), diagnostics, key);
  } else {
    detail::wrong_kind(node, type(), quoted(write(node)), diagnostics, key);
  }
  return std::nullopt;
}

std::optional<DateTime> Reads<DateTime>::read(const Node& node, Diagnostics& diagnostics, std::string_view key) {
  if (const auto* value = node.as<DateTime>()) return *value;
  detail::wrong_kind(node, type(), example(), diagnostics, key);
  return std::nullopt;
}

std::optional<Share> Reads<Share>::read(const Node& node, Diagnostics& diagnostics, std::string_view key) {
  if (const auto* text = node.as<std::string>()) {
    const auto value = parse_percent(*text, node.place(), diagnostics, key);
    if (!value) return std::nullopt;
    return Share{*value};
  }
  if (node.as<std::int64_t>() == nullptr && node.as<double>() == nullptr) {
    detail::wrong_kind(node, type(), example(), diagnostics, key);
    return std::nullopt;
  }
  const auto value = Reads<double>::read(node, diagnostics, key);
  if (!value) return std::nullopt;
  if (*value < 0 || *value > 1) {
    diagnostics.error(node.place(), fmt::format("{} as a plain number is a share of 0 .. 1, read {}", detail::subject(key), write(node)),
                      fmt::format("write {} for percent, or a number in 0 .. 1", quoted(fmt::format("{} %", *value))));
    return std::nullopt;
  }
  return Share{*value};
}

}  // namespace joulecast::config
