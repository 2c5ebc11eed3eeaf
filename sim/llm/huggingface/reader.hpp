#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/diagnostics.hpp"
#include "config/node.hpp"

namespace joulecast::llm {

/// The keys of one model_type, with every fault reported. A key may have older names; the first that is there counts.
class ConfigReader {
 public:
  using Keys = std::initializer_list<std::string_view>;

  ConfigReader(const config::Table& table, std::string model_type, Place place, config::Diagnostics& diagnostics)
      : table_(table), model_type_(std::move(model_type)), place_(std::move(place)), diagnostics_(diagnostics) {}

  bool has(std::string_view key) const { return table_.find(key) != nullptr; }
  /// A whole number from 1 to 1e9; 1 after reporting that it is missing or none.
  std::int64_t count(Keys keys);
  std::int64_t count(std::string_view key) { return count({key}); }
  std::optional<std::int64_t> maybe_count(Keys keys);
  std::optional<std::int64_t> maybe_count(std::string_view key) { return maybe_count({key}); }
  /// A whole number from 0 to 1e9.
  std::optional<std::int64_t> maybe_from_none(std::string_view key);
  bool flag(std::string_view key, bool absent);
  std::string text(Keys keys, std::string absent);
  /// The strings of a list; empty where it is absent.
  std::vector<std::string> words(std::string_view key);
  /// A nested object; null where it is absent.
  const config::Table* object(std::string_view key);
  const config::Node* find(std::string_view key) const { return table_.find(key); }

  void refuse(std::string what, std::string remedy) { diagnostics_.error(place_, std::move(what), std::move(remedy)); }
  void note(std::string text) { diagnostics_.note(std::move(text)); }
  const std::string& model_type() const { return model_type_; }

 private:
  const config::Node* first_of(Keys keys) const;
  void wrong(std::string_view key, const config::Node& node, std::string_view expected);
  std::optional<std::int64_t> whole(std::string_view key, const config::Node& node, std::int64_t least);

  const config::Table& table_;
  std::string model_type_;
  Place place_;
  config::Diagnostics& diagnostics_;
};

}  // namespace joulecast::llm
