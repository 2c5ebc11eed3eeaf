#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/error.hpp"

namespace joulecast::config {

class Node;

/// A table whose keys stand in the order of the file, each with the place of the key.
struct Table {
  struct Entry {
    std::string key;
    Place place;
    std::unique_ptr<Node> value;
  };
  std::vector<Entry> entries;

  Table() = default;
  Table(Table&&) noexcept = default;
  Table& operator=(Table&&) noexcept = default;
  Table(const Table& other);
  Table& operator=(const Table& other);
  ~Table() = default;

  const Node* find(std::string_view key) const;
  Node* find(std::string_view key);
};

/// A date and time as TOML writes it; `offset_minutes` is only meaningful where `has_offset`.
struct DateTime {
  int year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0;
  std::uint32_t nanosecond = 0;
  bool has_offset = false;
  int offset_minutes = 0;
};

/// A value with the place where it was read.
class Node {
 public:
  using Array = std::vector<Node>;
  using Value = std::variant<bool, std::int64_t, double, std::string, DateTime, Array, Table>;

  Node(Value value, Place place) : value_(std::move(value)), place_(std::move(place)) {}
  Node(Node&&) noexcept = default;
  Node& operator=(Node&&) noexcept = default;
  Node(const Node& other) = default;
  Node& operator=(const Node& other) = default;
  ~Node() = default;

  const Value& value() const { return value_; }
  Value& value() { return value_; }
  const Place& place() const { return place_; }

  template <class T>
  const T* as() const {
    return std::get_if<T>(&value_);
  }
  template <class T>
  T* as() {
    return std::get_if<T>(&value_);
  }

  /// "a string", "a table", ... for messages.
  std::string_view kind() const;

 private:
  Value value_;
  Place place_;
};

/// Parses a TOML file (or text that stands for one). Throws UserError with the place of a fault, duplicate tables included.
Node parse_file(const std::string& path);
Node parse_text(std::string_view text, const std::string& file_name);

/// Reads a file, follows its `extends = "other.toml"` (or a list; relative to the file that says so; a cycle is an error) and merges: a
/// table into a table key by key, anything else replaces. The `extends` keys are gone from the result.
Node load(const std::string& path);
/// `over` merged onto `base`, as `extends` does.
void merge(Node& base, const Node& over);

/// One `--set path.to.key=VALUE`: VALUE is any TOML value; a bare word that is none is taken as a string. Paths inside it stay relative to the
/// working folder (the place's file is "--set"). Throws UserError.
void set(Node& root, const std::string& assignment);

/// The value as TOML text, in order but for plain values that stand before the tables beside them; `parse_text(write(n))` equals `n` but for places.
std::string write(const Node& root);

/// The known key that `key` most likely meant (Damerau-Levenshtein at most 1/3 of its length, at least 1), or "".
std::string nearest(std::string_view key, const std::vector<std::string>& known);

/// A text as a TOML basic string, quoted; a key as TOML writes it, quoted where it must be.
std::string quoted(std::string_view text);
std::string key_text(std::string_view key);

/// The same keys and values, whatever their places and the order of keys; a NaN equals a NaN.
bool same(const Node& a, const Node& b);

/// A path written in `place`'s file as one that this process can open: absolute as it is, relative to that file's folder else.
std::string resolve_path(const std::string& path, const Place& place);

}  // namespace joulecast::config
