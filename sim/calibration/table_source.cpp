#include "calibration/table_source.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "base/hash.hpp"

namespace joulecast::calibration {

void TableSource::drop(const std::string& reason) {
  for (auto& [known, count] : dropped) {
    if (known == reason) {
      ++count;
      return;
    }
  }
  dropped.emplace_back(reason, 1);
}

std::string TableSource::text() const {
  const std::filesystem::path file(path);
  const auto folder = file.parent_path().filename();
  std::string text = fmt::format("{} (sha256 {}), {} rows used", (folder / file.filename()).string(), sha256.substr(0, 12), used);
  std::string separator = "; dropped: ";
  for (const auto& [reason, count] : dropped) {
    text += fmt::format("{}{} {}", separator, count, reason);
    separator = ", ";
  }
  return text;
}

TableSource table_source(const std::string& path) { return {path, sha256_of_file(path), 0, {}}; }

std::string text_of(const std::vector<TableSource>& sources) {
  std::string text;
  for (const auto& source : sources) text += (text.empty() ? "" : "; ") + source.text();
  return text;
}

}  // namespace joulecast::calibration
