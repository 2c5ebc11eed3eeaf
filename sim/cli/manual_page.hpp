#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/command_page.hpp"
#include "config/record.hpp"

namespace joulecast::cli {

/// joulecast(1) in man(7): every command with its options and examples, exit codes, environment and files.
std::string manual_page(const CommandPage& program, const std::string& version);

/// joulecast-scenario(5) in man(7): every key of a scenario with type, unit, bounds, default and text.
std::string scenario_manual_page(const std::vector<config::Parameter>& keys, const std::string& version);

/// Text as man(7) takes it: a line that begins with a dot stays a line, a hyphen stays a hyphen that can be copied.
std::string manual_text(std::string_view text);

}  // namespace joulecast::cli
