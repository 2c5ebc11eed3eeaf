#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "cli/console.hpp"
#include "config/record.hpp"

namespace joulecast::cli {

/// A parameter with all that is nested in it.
nlohmann::ordered_json parameter_json(const config::Parameter& parameter);

/// A key, its type, unit, bounds and default in one line, and its text below.
void print_parameter(const config::Parameter& parameter, int indent, Console& console);

/// Text broken at spaces into lines of at most `width` columns, each after `indent` spaces.
std::string wrapped(std::string_view text, int width, int indent);

}  // namespace joulecast::cli
