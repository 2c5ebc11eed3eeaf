#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace joulecast::cli {

/// The commands of a shell line as words: quotes taken off, backslash and line end joined to the next line, comments left out, split at ; & | and
/// line ends; redirections (>, <) and their targets are dropped. Nothing is expanded. Throws UserError for a quote that is not closed.
std::vector<std::vector<std::string>> shell_commands(std::string_view line);

}  // namespace joulecast::cli
