#include "traces/grid/json.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "traces/excerpt.hpp"

namespace joulecast::traces {
namespace {

using Json = nlohmann::json;

constexpr int kDeepest = 32;

Place place_of(const std::string& text, std::size_t byte, const std::string& file) {
  const std::size_t at = std::min(byte > 0 ? byte - 1 : 0, text.size());
  const auto line = static_cast<int>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n')) + 1;
  const std::size_t begin = at == 0 ? std::string::npos : text.rfind('\n', at - 1);
  return {file, line, static_cast<int>(at - (begin == std::string::npos ? 0 : begin + 1)) + 1};
}

/// The byte, from 1, at which brackets stand too deep for a parser that calls itself to be handed them; 0 where they do not.
std::size_t too_deep(const std::string& text) {
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c == '\\') ++i;
      if (c == '"') quoted = false;
    } else if (c == '"') {
      quoted = true;
    } else if (c == '{' || c == '[') {
      if (++depth > kDeepest) return i + 1;
    } else if (c == '}' || c == ']') {
      --depth;
    }
  }
  return 0;
}

}  // namespace

Json parse_json(const SeriesText& source) {
  const std::string text = source.whole();
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) throw UserError({source.name(), 0, 0}, "the file is empty", "give a file with values");
  if (const std::size_t byte = too_deep(text); byte > 0) {
    throw UserError(place_of(text, byte, source.name()), "lists or objects stand too deep in one another", "is this the right file?");
  }
  try {
    return Json::parse(text);
  } catch (const Json::exception& error) {
    const auto* parse = dynamic_cast<const Json::parse_error*>(&error);
    const std::size_t byte = parse == nullptr ? 0 : parse->byte;
    const std::string rest = excerpt(text.substr(std::min(byte > 0 ? byte - 1 : 0, text.size())), 30);
    throw UserError(place_of(text, byte, source.name()), fmt::format("no JSON from \"{}\" on", rest), "correct the file, or fetch it again");
  }
}

std::optional<std::string> text_member(const Json& object, const char* key, const std::string& where, const std::string& file) {
  const auto found = object.is_object() ? object.find(key) : object.end();
  if (found == object.end() || found->is_null()) return std::nullopt;
  if (found->is_string()) return found->get<std::string>();
  if (found->is_number() || found->is_boolean()) return found->dump();
  throw UserError({file, 0, 0}, fmt::format("{}.{} is a list or an object, expected a text or a number", where, key), "correct the file");
}

const char* present_key(const Json& object, std::initializer_list<const char*> keys) {
  for (const char* key : keys) {
    if (object.is_object() && object.contains(key)) return key;
  }
  return *keys.begin();
}

std::string required_text(const Json& object, const char* key, const std::string& where, const std::string& file) {
  if (auto text = text_member(object, key, where, file)) return *std::move(text);
  throw UserError({file, 0, 0}, fmt::format("{} lacks \"{}\"", where, key), "correct the file, or fetch it again");
}

}  // namespace joulecast::traces
