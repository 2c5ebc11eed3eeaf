#include "llm/huggingface/reader.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace joulecast::llm {

using config::Node;

namespace {

constexpr std::int64_t kMost = 1'000'000'000;

}  // namespace

const Node* ConfigReader::first_of(Keys keys) const {
  for (const std::string_view key : keys) {
    if (const Node* node = table_.find(key)) return node;
  }
  return nullptr;
}

void ConfigReader::wrong(std::string_view key, const Node& node, std::string_view expected) {
  refuse(fmt::format("\"{}\" is {}, expected {}", key, node.kind(), expected), "give the model's config.json as its repository has it");
}

std::optional<std::int64_t> ConfigReader::whole(std::string_view key, const Node& node, std::int64_t least) {
  const auto* value = node.as<std::int64_t>();
  if (value == nullptr) {
    wrong(key, node, "a whole number");
  } else if (*value < least || *value > kMost) {
    refuse(fmt::format("\"{}\" is {}, expected {} .. {}", key, *value, least, kMost), "give the model's config.json as its repository has it");
  } else {
    return *value;
  }
  return std::nullopt;
}

std::int64_t ConfigReader::count(Keys keys) {
  const Node* node = first_of(keys);
  if (node != nullptr) return whole(*keys.begin(), *node, 1).value_or(1);
  const std::string older = keys.size() > 1 ? fmt::format(" (or \"{}\")", *(keys.begin() + 1)) : "";
  refuse(fmt::format("the config has no \"{}\"{}", *keys.begin(), older),
         fmt::format("a model_type \"{}\" needs it: give the whole config.json", model_type_));
  return 1;
}

std::optional<std::int64_t> ConfigReader::maybe_count(Keys keys) {
  const Node* node = first_of(keys);
  return node == nullptr ? std::nullopt : whole(*keys.begin(), *node, 1);
}

std::optional<std::int64_t> ConfigReader::maybe_from_none(std::string_view key) {
  const Node* node = table_.find(key);
  return node == nullptr ? std::nullopt : whole(key, *node, 0);
}

bool ConfigReader::flag(std::string_view key, bool absent) {
  const Node* node = table_.find(key);
  if (node == nullptr) return absent;
  if (const bool* value = node->as<bool>()) return *value;
  wrong(key, *node, "true or false");
  return absent;
}

std::string ConfigReader::text(Keys keys, std::string absent) {
  const Node* node = first_of(keys);
  if (node == nullptr) return absent;
  if (const auto* value = node->as<std::string>()) return *value;
  wrong(*keys.begin(), *node, "a string");
  return absent;
}

std::vector<std::string> ConfigReader::words(std::string_view key) {
  const Node* node = table_.find(key);
  if (node == nullptr) return {};
  const auto* list = node->as<Node::Array>();
  if (list == nullptr) {
    wrong(key, *node, "a list of strings");
    return {};
  }
  std::vector<std::string> result;
  for (const Node& each : *list) {
    const auto* word = each.as<std::string>();
    if (word == nullptr) {
      wrong(key, each, "a string in the list");
      return {};
    }
    result.push_back(*word);
  }
  return result;
}

const config::Table* ConfigReader::object(std::string_view key) {
  const Node* node = table_.find(key);
  if (node == nullptr) return nullptr;
  if (const auto* table = node->as<config::Table>()) return table;
  wrong(key, *node, "an object");
  return nullptr;
}

}  // namespace joulecast::llm
