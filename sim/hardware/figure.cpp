#include "hardware/figure.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

namespace joulecast::hardware {

namespace {

constexpr std::string_view kExample = "{ value = .., source = \"..\", kind = \"measured\", error = \"5 %\" }";

std::optional<FigureKind> kind_named(std::string_view text) {
  for (const auto kind : {FigureKind::measured, FigureKind::calibrated, FigureKind::modelled, FigureKind::datasheet}) {
    if (text == name(kind)) return kind;
  }
  return std::nullopt;
}

/// A number, or a text "5 %".
std::optional<double> plain_or_percent(const config::Node& node) {
  if (const auto* number = node.as<double>()) return *number;
  if (const auto* whole = node.as<std::int64_t>()) return static_cast<double>(*whole);
  const auto* text = node.as<std::string>();
  if (text == nullptr) return std::nullopt;
  double value = 0;
  const char* end = text->data() + text->size();
  const auto parsed = std::from_chars(text->data(), end, value);
  if (parsed.ec != std::errc{}) return std::nullopt;
  std::string_view rest(parsed.ptr, static_cast<std::size_t>(end - parsed.ptr));
  while (!rest.empty() && rest.front() == ' ') rest.remove_prefix(1);
  if (rest != "%") return std::nullopt;
  return value / 100;
}

}  // namespace

std::optional<FigureText> read_figure_text(const config::Node& node, const std::string& key, config::Diagnostics& diagnostics) {
  const auto* table = node.as<config::Table>();
  if (table == nullptr) {
    diagnostics.error(node.place(), fmt::format("\"{}\" is {}, not a figure", key, node.kind()), fmt::format("write it as {}", kExample));
    return std::nullopt;
  }
  FigureText text;
  bool whole = true;
  const auto refuse = [&](const Place& place, std::string what, std::string remedy) {
    diagnostics.error(place, std::move(what), std::move(remedy));
    whole = false;
  };
  const config::Node* kind = nullptr;
  for (const auto& entry : table->entries) {
    if (entry.key == "value") {
      text.value = entry.value.get();
    } else if (entry.key == "source") {
      const auto* source = entry.value->as<std::string>();
      if (source == nullptr || source->empty()) {
        refuse(entry.place, fmt::format("the source of \"{}\" is empty or no text", key), "say where the figure was read");
      } else {
        text.source = *source;
      }
    } else if (entry.key == "kind") {
      kind = entry.value.get();
    } else if (entry.key == "error") {
      text.error = plain_or_percent(*entry.value);
      if (!text.error || !std::isfinite(*text.error) || *text.error < 0) {
        refuse(entry.place, fmt::format("the error of \"{}\" is no share", key), "write the half-width of its 80 % interval: error = \"5 %\"");
      }
    } else {
      const std::string meant = config::nearest(entry.key, {"value", "source", "kind", "error"});
      refuse(entry.place, fmt::format("unknown key \"{}\" in the figure \"{}\"", entry.key, key),
             meant.empty() ? fmt::format("a figure is {}", kExample) : fmt::format("did you mean \"{}\"?", meant));
    }
  }
  if (text.value == nullptr) refuse(node.place(), fmt::format("the figure \"{}\" has no value", key), fmt::format("write it as {}", kExample));
  if (text.source.empty() && whole) {
    refuse(node.place(), fmt::format("the figure \"{}\" has no source", key), "say where the figure was read: source = \"..\"");
  }
  const auto* kind_text = kind == nullptr ? nullptr : kind->as<std::string>();
  const auto known = kind_text == nullptr ? std::nullopt : kind_named(*kind_text);
  if (!known) {
    refuse(kind == nullptr ? node.place() : kind->place(), fmt::format("the figure \"{}\" has no known kind", key),
           "write kind = \"measured\", \"calibrated\", \"modelled\" or \"datasheet\"");
  } else {
    text.kind = *known;
    if (!text.error && (text.kind == FigureKind::modelled || text.kind == FigureKind::calibrated) && whole) {
      refuse(node.place(), fmt::format("the {} figure \"{}\" states no error", name(text.kind), key),
             "write the half-width of its 80 % interval: error = \"30 %\"");
    }
  }
  if (!whole) return std::nullopt;
  return text;
}

bool check_bounds(double value, const config::Bounds& bounds, const Place& place, const std::string& key, config::Diagnostics& diagnostics) {
  const bool low = bounds.least_is_open ? value <= bounds.least : value < bounds.least;
  if (std::isfinite(value) && !low && value <= bounds.most) return true;
  diagnostics.error(place, fmt::format("\"{}\" is {} in SI units, out of its bounds", key, value),
                    fmt::format("give a value {} {}{}", bounds.least_is_open ? "above" : "of at least", bounds.least,
                                std::isfinite(bounds.most) ? fmt::format(" and at most {}", bounds.most) : ""));
  return false;
}

template <class Q>
std::optional<Q> read_figure_value(const config::Node& node, const std::string& key, config::Diagnostics& diagnostics) {
  const auto* text = node.as<std::string>();
  if (text == nullptr) {
    diagnostics.error(node.place(), fmt::format("the value of \"{}\" is {}, not a quantity with its unit", key, node.kind()),
                      "write the number and the unit in quotes");
    return std::nullopt;
  }
  return config::parse_quantity<Q>(*text, node.place(), diagnostics);
}

template <>
std::optional<double> read_figure_value<double>(const config::Node& node, const std::string& key, config::Diagnostics& diagnostics) {
  const auto value = plain_or_percent(node);
  if (!value) diagnostics.error(node.place(), fmt::format("the value of \"{}\" is no number", key), "write a plain number, or a share as \"45 %\"");
  return value;
}

template std::optional<Watts> read_figure_value<Watts>(const config::Node&, const std::string&, config::Diagnostics&);
template std::optional<Seconds> read_figure_value<Seconds>(const config::Node&, const std::string&, config::Diagnostics&);
template std::optional<Hertz> read_figure_value<Hertz>(const config::Node&, const std::string&, config::Diagnostics&);
template std::optional<Bytes> read_figure_value<Bytes>(const config::Node&, const std::string&, config::Diagnostics&);
template std::optional<BytesPerSecond> read_figure_value<BytesPerSecond>(const config::Node&, const std::string&, config::Diagnostics&);
template std::optional<FlopsPerSecond> read_figure_value<FlopsPerSecond>(const config::Node&, const std::string&, config::Diagnostics&);

}  // namespace joulecast::hardware
