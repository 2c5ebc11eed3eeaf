#pragma once

#include <string>
#include <string_view>

namespace joulecast::traces {

/// Text of a file as it may stand in a message: at most `most` bytes, control characters and bytes that are no ASCII replaced by '?'.
std::string excerpt(std::string_view text, std::size_t most = 60);

}  // namespace joulecast::traces
