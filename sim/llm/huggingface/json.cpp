#include "llm/huggingface/json.hpp"

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

namespace joulecast::llm {

namespace {

using Json = nlohmann::ordered_json;
using config::Node;

constexpr int kDeepest = 64;

/// Line and column, from 1, of byte `at`, counted from 1, as nlohmann states it.
Place place_of(std::string_view text, std::size_t at, const std::string& file) {
  const std::string_view before = text.substr(0, std::min(at > 0 ? at - 1 : 0, text.size()));
  const auto lines = std::count(before.begin(), before.end(), '\n');
  const std::size_t start = before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
  return {file, static_cast<int>(lines) + 1, static_cast<int>(before.size() - start) + 1};
}

Node node_of(const Json& json, const Place& place) {
  const auto leaf = [&](Node::Value value) { return Node(std::move(value), place); };
  if (json.is_boolean()) return leaf(json.get<bool>());
  if (json.is_string()) return leaf(json.get<std::string>());
  if (json.is_number_unsigned() && json.get<std::uint64_t>() > static_cast<std::uint64_t>(INT64_MAX)) return leaf(json.get<double>());
  if (json.is_number_integer()) return leaf(json.get<std::int64_t>());
  if (json.is_number()) return leaf(json.get<double>());
  if (json.is_array()) {
    Node::Array array;
    for (const auto& each : json) array.push_back(node_of(each, place));
    return leaf(std::move(array));
  }
  if (json.is_object()) {
    config::Table table;
    for (const auto& [key, value] : json.items()) {
      if (!value.is_null()) table.entries.push_back({key, place, std::make_unique<Node>(node_of(value, place))});
    }
    return leaf(std::move(table));
  }
  return leaf(std::string("null"));
}

}  // namespace

config::Node parse_json(std::string_view text, const std::string& file) {
  const auto limit = [&](int depth, Json::parse_event_t, Json&) {
    if (depth > kDeepest) throw UserError({file, 0, 0}, "the JSON is nested too deeply", "give a model's config.json");
    return true;
  };
  try {
    return node_of(Json::parse(text, limit), {file, 0, 0});
  } catch (const Json::parse_error& error) {
    const std::string_view what = error.what();
    const std::size_t colon = what.rfind(": ");
    throw UserError(place_of(text, error.byte, file),
                    "this is no JSON: " + std::string(colon == std::string_view::npos ? what : what.substr(colon + 2)),
                    "give a model's config.json as its repository has it");
  } catch (const Json::exception& error) {
    throw UserError({file, 0, 0}, std::string("this is no JSON that can be read: ") + error.what(),
                    "give a model's config.json as its repository has it");
  }
}

}  // namespace joulecast::llm
