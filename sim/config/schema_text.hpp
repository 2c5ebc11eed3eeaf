#pragma once

#include <string>
#include <vector>

#include "config/record.hpp"

namespace joulecast::config {

/// The keys of a record for people: a heading, then a line a key with its path (`pool.NAME.replicas`), type, default, bounds and text in
/// aligned columns; the keys of nested tables follow their table.
std::string schema_text(const std::string& title, const std::vector<Parameter>& parameters);

/// The same as one JSON object: {"title", "keys": [{"key", "type", "unit", "default", "bounds", "text", "required", "later", "keys"}]}. Absent
/// parts are absent; "keys" holds those of a table, or of each table of `tables`.
std::string schema_json(const std::string& title, const std::vector<Parameter>& parameters);

}  // namespace joulecast::config
