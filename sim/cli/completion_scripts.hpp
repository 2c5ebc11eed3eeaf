#pragma once

#include <string_view>

namespace joulecast::cli {

// What the shells read. Each asks `joulecast complete WORD..` what could stand in place of the last word, so that it knows every command, option,
// profile, policy and key that the program knows. The answer's first line is `words`, or what else the shell is to list: `files`, `toml`, `folders`;
// then a candidate a line, with a tab and its meaning behind it. One that ends in "." or "=" goes on.

extern const std::string_view kBashCompletion, kZshCompletion, kFishCompletion;

}  // namespace joulecast::cli
