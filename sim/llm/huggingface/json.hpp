#pragma once

#include <string>
#include <string_view>

#include "config/node.hpp"

namespace joulecast::llm {

/// JSON as a tree of nodes, all placed at `file`; keys whose value is null are absent, in a list null is the text "null". Throws UserError with
/// line and column for text that is no JSON, and for nesting deeper than any config has.
config::Node parse_json(std::string_view text, const std::string& file);

}  // namespace joulecast::llm
