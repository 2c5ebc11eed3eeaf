#pragma once

#include <filesystem>
#include <string>

namespace joulecast::cli {

/// A file's content, "" where it can't be read.
std::string file_text(const std::filesystem::path& path);

}  // namespace joulecast::cli
