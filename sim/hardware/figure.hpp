#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/provenance.hpp"
#include "base/quantity.hpp"
#include "config/record.hpp"

namespace joulecast::hardware {

/// Where a figure comes from: read off a meter, fitted to measurements of the same thing, worked out from other figures, or printed by the maker.
enum class FigureKind : std::uint8_t { measured, calibrated, modelled, datasheet };

constexpr std::string_view name(FigureKind kind) {
  constexpr std::string_view names[] = {"measured", "calibrated", "modelled", "datasheet"};
  return names[static_cast<int>(kind)];
}

/// A rating of the maker counts as measured.
constexpr Provenance provenance(FigureKind kind) {
  return kind == FigureKind::calibrated ? Provenance::calibrated : kind == FigureKind::modelled ? Provenance::modelled : Provenance::measured;
}

/// A figure of the world with where it comes from. `error` is the relative half-width of its 80 % interval.
template <class Q>
struct Figure {
  Q value{};
  std::string source;
  FigureKind kind = FigureKind::modelled;
  std::optional<double> error;
};

/// What every figure says beside its value, as read from `{ value = .., source = "..", kind = "..", error = ".." }`.
struct FigureText {
  const config::Node* value = nullptr;
  std::string source;
  FigureKind kind = FigureKind::modelled;
  std::optional<double> error;
};

/// Reads the table of a figure but for its value; reports what is missing or unknown and gives nullopt. "modelled" and "calibrated" figures must
/// state an error.
std::optional<FigureText> read_figure_text(const config::Node& node, const std::string& key, config::Diagnostics& diagnostics);

/// Value readers of a figure: a Quantity written with its unit, a plain number or share, a whole number.
template <class Q>
std::optional<Q> read_figure_value(const config::Node& node, const std::string& key, config::Diagnostics& diagnostics);

/// `true` where `value` lies in bounds, else a fault at `place`.
bool check_bounds(double value, const config::Bounds& bounds, const Place& place, const std::string& key, config::Diagnostics& diagnostics);

template <class Q>
double si_of(const Q& value) {
  if constexpr (std::is_arithmetic_v<Q>) {
    return static_cast<double>(value);
  } else {
    return value.si();
  }
}

template <class Q>
std::optional<Figure<Q>> read_figure(const config::Node& node, const std::string& key, const config::Bounds& bounds,
                                     config::Diagnostics& diagnostics) {
  const auto text = read_figure_text(node, key, diagnostics);
  if (!text) return std::nullopt;
  const auto value = read_figure_value<Q>(*text->value, key, diagnostics);
  if (!value || !check_bounds(si_of(*value), bounds, text->value->place(), key, diagnostics)) return std::nullopt;
  return Figure<Q>{*value, text->source, text->kind, text->error};
}

/// Adds a figure to a record: required, or absent = the member stays empty.
template <class S, class Q>
config::Record<S>& figure(config::Record<S>& record, const std::string& key, Figure<Q> S::*member, const config::Bounds& bounds,
                          const std::string& text) {
  return record.custom(
      key, "figure { value, source, kind, error }", "", text,
      [member, key, bounds](S& target, const config::Node& node, config::Diagnostics& diagnostics) {
        if (auto read = read_figure<Q>(node, key, bounds, diagnostics)) target.*member = *std::move(read);
      },
      true);
}
template <class S, class Q>
config::Record<S>& figure(config::Record<S>& record, const std::string& key, std::optional<Figure<Q>> S::*member, const config::Bounds& bounds,
                          const std::string& text) {
  return record.custom(key, "figure { value, source, kind, error }", "absent", text,
                       [member, key, bounds](S& target, const config::Node& node, config::Diagnostics& diagnostics) {
                         if (auto read = read_figure<Q>(node, key, bounds, diagnostics)) target.*member = *std::move(read);
                       });
}

}  // namespace joulecast::hardware
