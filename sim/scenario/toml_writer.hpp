#pragma once

#include <charconv>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>

#include "config/node.hpp"

namespace joulecast::scenario {

/// Builds a table key by key.
class TomlWriter {
 public:
  TomlWriter& put(const std::string& key, config::Node::Value value) {
    auto& entry = table_.entries.emplace_back();
    entry.key = key;
    entry.value = std::make_unique<config::Node>(std::move(value), Place{});
    return *this;
  }
  TomlWriter& text(const std::string& key, const std::string& value) { return put(key, config::Node::Value(value)); }
  TomlWriter& number(const std::string& key, std::int64_t value) { return put(key, config::Node::Value(value)); }
  TomlWriter& real(const std::string& key, double value) { return put(key, config::Node::Value(value)); }
  TomlWriter& flag(const std::string& key, bool value) { return put(key, config::Node::Value(value)); }
  TomlWriter& table(const std::string& key, TomlWriter inner) { return put(key, config::Node::Value(std::move(inner.table_))); }
  /// An SI value with its unit, shortest digits that read back to the same bits.
  TomlWriter& quantity(const std::string& key, double si, const std::string& unit) {
    char digits[32];
    const auto end = std::to_chars(digits, digits + sizeof digits, si).ptr;
    return text(key, std::string(digits, end) + " " + unit);
  }
  config::Node node() { return {config::Node::Value(std::move(table_)), {}}; }

 private:
  config::Table table_;
};

inline std::string absolute(const std::string& path) { return std::filesystem::absolute(path).lexically_normal().string(); }

}  // namespace joulecast::scenario
