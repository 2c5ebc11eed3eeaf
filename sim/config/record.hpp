#pragma once

#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "config/diagnostics.hpp"
#include "config/node.hpp"
#include "config/reads.hpp"

namespace joulecast::config {

/// What `schema`, `--help` and the docs say of one key.
struct Parameter {
  std::string key;
  std::string type;          ///< "integer", "power", "string", "one of a | b", "table", "tables"
  std::string unit;          ///< the SI unit of a quantity, in which bounds are stated; "" where there is none
  std::string example;       ///< a value as TOML, for remedies
  std::string default_text;  ///< as TOML, "" where there is none
  std::string bounds;        ///< "1 .. 65536", "" where there is none
  std::string text;
  bool required = false;
  bool later = false;             ///< known, "not yet supported"
  std::vector<Parameter> nested;  ///< the keys of a table
};

/// Inclusive bounds of a number or of a quantity's SI value.
struct Bounds {
  double least = -std::numeric_limits<double>::infinity();
  double most = std::numeric_limits<double>::infinity();
  bool least_is_open = false;  ///< the least value itself is outside

  static Bounds any() { return {}; }
  static Bounds positive() { return {0, std::numeric_limits<double>::infinity(), true}; }
  static Bounds not_negative() { return {0, std::numeric_limits<double>::infinity()}; }
  static Bounds between(double least, double most) { return {least, most}; }
};

/// Tables with names, in the order of the file: `[pool.chat]`, `[pool.code]`.
template <class T>
using NamedTables = std::vector<std::pair<std::string, T>>;

/// The record of a struct's parameters: from it come reading with all faults at once, `schema` and the docs. Values are read through
/// `Reads<Member>` (bool, std::int64_t, int, double, std::string, Quantity, std::optional of these, std::vector of these).
template <class S>
class Record {
 public:
  explicit Record(std::string title) : title_(std::move(title)) {}

  template <class T>
  Record& required(std::string key, T S::*member, Bounds bounds, std::string text);
  /// Absent: the member keeps the value it has in a default-constructed S, which `schema` shows through `default_text`.
  template <class T>
  Record& optional(std::string key, T S::*member, std::string default_text, Bounds bounds, std::string text);
  /// A word out of a list. Required if `default_text` is empty; absent otherwise means the member's default.
  template <class E>
  Record& choice(std::string key, E S::*member, std::vector<std::pair<std::string, E>> choices, std::string default_text, std::string text);
  /// A nested table; absent: the member keeps its default.
  template <class T>
  Record& table(std::string key, T S::*member, const Record<T>& nested, std::string text, bool required = false);
  /// As `table`, absent = nullopt.
  template <class T>
  Record& table(std::string key, std::optional<T> S::*member, const Record<T>& nested, std::string text);
  /// Named tables `[key.NAME]`.
  template <class T>
  Record& tables(std::string key, NamedTables<T> S::*member, const Record<T>& nested, std::string text);
  /// A key whose value has more than one form: `read` gets the node and reports what it refuses.
  Record& custom(std::string key, std::string type, std::string default_text, std::string text,
                 std::function<void(S&, const Node&, Diagnostics&)> read, bool required = false);
  /// A key of later work: "not yet supported".
  Record& later(std::string key, std::string text);
  /// Runs after all keys are read, with the table's place; not for a table in which a fault was found.
  Record& check(std::function<void(const S&, const Place&, Diagnostics&)> rule);
  /// Stores the place of each table in a member (for later checks that span tables).
  Record& place(Place S::*member);

  /// Reads a table: unknown keys (with the nearest known), wrong types, missing units, out of bounds and missing keys are all reported.
  S read(const Node& table, Diagnostics& diagnostics) const;
  const std::string& title() const { return title_; }
  std::vector<Parameter> describe() const;

 private:
  struct Field {
    Parameter parameter;
    std::function<void(S&, const Node&, Diagnostics&)> read;
  };

  template <class T>
  void add(std::string key, T S::*member, std::string default_text, Bounds bounds, std::string text, bool required);
  std::string title_;
  std::vector<Field> fields_;
  std::vector<std::function<void(const S&, const Place&, Diagnostics&)>> rules_;
  std::function<void(S&, const Place&)> keep_place_;
};

}  // namespace joulecast::config

#include "config/record_impl.hpp"
