#pragma once

#include <string>
#include <vector>

namespace joulecast::config {

/// The paths of all files that `load(path)` reads: those that it extends before itself.
std::vector<std::string> files_of(const std::string& path);

}  // namespace joulecast::config
