#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/quantity.hpp"
#include "config/diagnostics.hpp"
#include "config/node.hpp"
#include "config/units.hpp"

namespace joulecast::config {

/// How a value of type T is read from a node. Specialised for bool, int, std::int64_t, double, std::string, DateTime, every Quantity with
/// units, Share, Priced, and std::optional / std::vector of these. Each has
///   type()     what `schema` calls it: "integer", "power", "list of string"
///   unit()     the SI unit in which bounds are stated, "" where there is none
///   example()  a value as TOML, for remedies
///   read(node, diagnostics, key)  the value, or nullopt after reporting a fault; `key` names the value in the message
///   each_number(value, f)         calls f(double) for what bounds apply to; NaN and infinities are never accepted
template <class T>
struct Reads;

/// Parses "1.25 kWh" as the quantity Q: a decimal number, a space or none, and a unit of Q's dimension (see units.hpp). Faults: no unit (the
/// remedy shows one), an unknown unit (the remedy names the nearest), a unit of another dimension, not a finite number. The currency of money is
/// dropped here; Priced<Q> keeps it.
template <class Q>
std::optional<Q> parse_quantity(std::string_view text, const Place& place, Diagnostics& diagnostics);

/// A share written "80 %" or as a number in 0 .. 1.
struct Share {
  double value = 0;
};

/// An amount with the currency it was written in ("0.08 USD/kWh"), and what it is for: "GPU", "node" or "" ("1.30 USD/GPU/h").
template <class Q>
struct Priced {
  Q amount;
  std::string currency;
  std::string per = {};
};

namespace detail {

/// `"key"`, or "the value" where no key is known.
std::string subject(std::string_view key);
/// Reports that a node is not of the kind that was expected.
void wrong_kind(const Node& node, std::string_view expected, const std::string& example, Diagnostics& diagnostics, std::string_view key);
/// A quantity from a string node; reports everything else.
std::optional<Measured> read_measured(const Node& node, const Dimension& wanted, Diagnostics& diagnostics, std::string_view key);

template <class Q>
struct DimensionOf;
template <int E, int T, int D, int W, int M, int G>
struct DimensionOf<Quantity<E, T, D, W, M, G>> {
  static constexpr Dimension value{{E, T, D, W, M, G}};
};

}  // namespace detail

#define JOULECAST_DECLARE_READS(T, type_text, example_text)                                              \
  template <>                                                                                            \
  struct Reads<T> {                                                                                      \
    static std::string type() { return type_text; }                                                      \
    static std::string unit() { return ""; }                                                             \
    static std::string example() { return example_text; }                                                \
    static std::optional<T> read(const Node& node, Diagnostics& diagnostics, std::string_view key = ""); \
    template <class F>                                                                                   \
    static void each_number(const T& value, F&& f);                                                      \
  };

JOULECAST_DECLARE_READS(bool, "boolean", "true")
JOULECAST_DECLARE_READS(int, "integer", "1")
JOULECAST_DECLARE_READS(std::int64_t, "integer", "1")
JOULECAST_DECLARE_READS(double, "number", "1.5")
JOULECAST_DECLARE_READS(std::string, "string", "\"...\"")
JOULECAST_DECLARE_READS(DateTime, "date and time", "2026-03-02T00:00:00+01:00")
JOULECAST_DECLARE_READS(Share, "share", "\"80 %\"")
#undef JOULECAST_DECLARE_READS

template <class F>
void Reads<bool>::each_number(const bool&, F&&) {}
template <class F>
void Reads<int>::each_number(const int& value, F&& f) {
  f(static_cast<double>(value));
}
template <class F>
void Reads<std::int64_t>::each_number(const std::int64_t& value, F&& f) {
  f(static_cast<double>(value));
}
template <class F>
void Reads<double>::each_number(const double& value, F&& f) {
  f(value);
}
template <class F>
void Reads<std::string>::each_number(const std::string&, F&&) {}
template <class F>
void Reads<DateTime>::each_number(const DateTime&, F&&) {}
template <class F>
void Reads<Share>::each_number(const Share& value, F&& f) {
  f(value.value);
}

template <int E, int T, int D, int W, int M, int G>
struct Reads<Quantity<E, T, D, W, M, G>> {
  using Q = Quantity<E, T, D, W, M, G>;
  static std::string type() { return dimension_name(detail::DimensionOf<Q>::value); }
  static std::string unit() { return si_unit(detail::DimensionOf<Q>::value); }
  static std::string example() { return "\"" + example_of(detail::DimensionOf<Q>::value) + "\""; }
  static std::optional<Q> read(const Node& node, Diagnostics& diagnostics, std::string_view key = "") {
    const auto measured = detail::read_measured(node, detail::DimensionOf<Q>::value, diagnostics, key);
    if (!measured) return std::nullopt;
    return Q(measured->si);
  }
  template <class F>
  static void each_number(const Q& value, F&& f) {
    f(value.si());
  }
};

template <class Q>
struct Reads<Priced<Q>> {
  static std::string type() { return Reads<Q>::type(); }
  static std::string unit() { return Reads<Q>::unit(); }
  static std::string example() { return Reads<Q>::example(); }
  static std::optional<Priced<Q>> read(const Node& node, Diagnostics& diagnostics, std::string_view key = "") {
    auto measured = detail::read_measured(node, detail::DimensionOf<Q>::value, diagnostics, key);
    if (!measured) return std::nullopt;
    return Priced<Q>{Q(measured->si), std::move(measured->currency), std::move(measured->per)};
  }
  template <class F>
  static void each_number(const Priced<Q>& value, F&& f) {
    f(value.amount.si());
  }
};

template <class T>
struct Reads<std::optional<T>> {
  static std::string type() { return Reads<T>::type(); }
  static std::string unit() { return Reads<T>::unit(); }
  static std::string example() { return Reads<T>::example(); }
  static std::optional<std::optional<T>> read(const Node& node, Diagnostics& diagnostics, std::string_view key = "") {
    auto value = Reads<T>::read(node, diagnostics, key);
    if (!value) return std::nullopt;
    return std::optional<std::optional<T>>(std::in_place, std::move(value));
  }
  template <class F>
  static void each_number(const std::optional<T>& value, F&& f) {
    if (value) Reads<T>::each_number(*value, f);
  }
};

template <class T>
struct Reads<std::vector<T>> {
  static std::string type() { return "list of " + Reads<T>::type(); }
  static std::string unit() { return Reads<T>::unit(); }
  static std::string example() { return "[" + Reads<T>::example() + "]"; }
  static std::optional<std::vector<T>> read(const Node& node, Diagnostics& diagnostics, std::string_view key = "") {
    const Node::Array* array = node.as<Node::Array>();
    if (array == nullptr) {
      detail::wrong_kind(node, type(), example(), diagnostics, key);
      return std::nullopt;
    }
    std::vector<T> values;
    const std::size_t faults = diagnostics.count();
    for (const Node& element : *array) {
      if (auto value = Reads<T>::read(element, diagnostics, key)) values.push_back(std::move(*value));
    }
    if (diagnostics.count() != faults) return std::nullopt;
    return values;
  }
  template <class F>
  static void each_number(const std::vector<T>& values, F&& f) {
    for (const T& value : values) Reads<T>::each_number(value, f);
  }
};

template <class Q>
std::optional<Q> parse_quantity(std::string_view text, const Place& place, Diagnostics& diagnostics) {
  const auto measured = parse_measured(text, detail::DimensionOf<Q>::value, place, diagnostics);
  if (!measured) return std::nullopt;
  return Q(measured->si);
}

}  // namespace joulecast::config
