#include "report/kept_points.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <fstream>
#include <sstream>
#include <string_view>
#include <system_error>
#include <vector>

#include "base/error.hpp"

namespace joulecast::report {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kAside = ".partial-";

std::string host() {
  char name[256] = {};
  return gethostname(name, sizeof name - 1) == 0 ? name : "";
}

std::string aside_name(const std::string& hash) { return fmt::format("{}.json{}{}-{}", hash, kAside, host(), ::getpid()); }

/// Whether a file aside belongs to a process of this machine that has ended.
bool is_left(const std::string& name) {
  const std::string mark = fmt::format("{}{}-", kAside, host());
  const std::size_t at = name.find(mark);
  if (at == std::string::npos) return false;
  pid_t process = 0;
  const char* end = name.data() + name.size();
  const auto [stop, fault] = std::from_chars(name.data() + at + mark.size(), end, process);
  return fault == std::errc{} && stop == end && process > 0 && kill(process, 0) != 0 && errno == ESRCH;
}

}  // namespace

std::optional<study::PointOutcome> KeptPoints::find(const std::string& hash) const {
  std::ifstream file(folder_ / (hash + ".json"), std::ios::binary);
  if (!file) return std::nullopt;
  std::ostringstream text;
  text << file.rdbuf();
  return point_of(text.str(), build_);
}

void KeptPoints::keep(const std::string& hash, const std::string& json) const {
  std::error_code error;
  fs::create_directories(folder_, error);
  const fs::path aside = folder_ / aside_name(hash);
  std::ofstream file(aside, std::ios::binary);
  file << json;
  file.close();
  if (file) fs::rename(aside, folder_ / (hash + ".json"), error);
  if (file && !error) return;
  std::error_code ignored;
  fs::remove(aside, ignored);
  throw UserError(Place{folder_.string()}, "a finished point cannot be kept here",
                  "see that there is room and that you may write here, then start the same command again: the points before this one are kept");
}

void KeptPoints::clean() const {
  std::error_code error;
  std::vector<fs::path> left;
  for (const auto& entry : fs::directory_iterator(folder_, error)) {
    if (is_left(entry.path().filename().string())) left.push_back(entry.path());
  }
  for (const fs::path& path : left) fs::remove(path, error);
}

}  // namespace joulecast::report
