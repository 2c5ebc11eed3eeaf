#include "cli/file_text.hpp"

#include <fstream>
#include <sstream>

namespace joulecast::cli {

std::string file_text(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace joulecast::cli
