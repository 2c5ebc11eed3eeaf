#pragma once

#include <string>

#include "config/node.hpp"

namespace joulecast::config {

/// A value as TOML on one line, a table as an inline one.
std::string inline_text(const Node& node);

}  // namespace joulecast::config
