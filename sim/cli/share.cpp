#include "cli/share.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>

#include "base/error.hpp"
#include "cli/build_info.hpp"

namespace joulecast::cli {
namespace {

namespace fs = std::filesystem;

bool holds_profiles(const fs::path& folder) {
  std::error_code ignored;
  return fs::is_directory(folder / "hardware_profiles", ignored);
}

}  // namespace

std::string share_folder() {
  if (const char* given = std::getenv("JOULECAST_SHARE"); given != nullptr && *given != '\0') {
    if (holds_profiles(given)) return given;
    throw UserError({}, fmt::format("JOULECAST_SHARE is \"{}\", where there is no folder hardware_profiles", given),
                    "set it to the folder that holds hardware_profiles/ and workloads/, or unset it");
  }
  std::error_code failed;
  const fs::path program = fs::read_symlink("/proc/self/exe", failed);
  const fs::path installed = program.parent_path().parent_path() / "share" / "joulecast";
  if (!failed && holds_profiles(installed)) return installed.string();
  const fs::path source = build_info().source;
  if (holds_profiles(source)) return source.string();
  throw UserError({}, fmt::format("no hardware profiles in {} or {}", installed.string(), source.string()),
                  "set JOULECAST_SHARE to the folder that holds hardware_profiles/ and workloads/");
}

}  // namespace joulecast::cli
