#pragma once

#include <string>

namespace joulecast {

/// One word, quoted for a POSIX shell where it must be.
std::string shell_word(const std::string& text);

}  // namespace joulecast
