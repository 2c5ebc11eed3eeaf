#pragma once

#include <string>
#include <string_view>

namespace joulecast::config {

/// The deepest that tables and lists may stand in one another.
inline constexpr int kDeepest = 32;

/// Throws UserError for what a parser that calls itself should not be handed: brackets, or the parts of a dotted key, that stand too deep; a
/// table header that opens with what no name starts with; a character outside ASCII that is not in a string or comment (toml++ 3.3 takes for
/// granted that these do not come). Reads TOML only so far as to know strings and comments from the rest.
void check_nesting(std::string_view text, const std::string& file_name);

}  // namespace joulecast::config
