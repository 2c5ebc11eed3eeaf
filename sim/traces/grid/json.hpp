#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "traces/grid/text.hpp"

namespace joulecast::traces {

/// The JSON of a file. UserError with line and column for text that is none, or that is nested too deep.
nlohmann::json parse_json(const SeriesText& text);

/// A member that is a string, or a number as it is written; nullopt where it is absent or null. UserError, naming `where`, for any other kind.
std::optional<std::string> text_member(const nlohmann::json& object, const char* key, const std::string& where, const std::string& file);
/// The first of several keys that is there.
const char* present_key(const nlohmann::json& object, std::initializer_list<const char*> keys);
/// The same member, which has to be there.
std::string required_text(const nlohmann::json& object, const char* key, const std::string& where, const std::string& file);

}  // namespace joulecast::traces
