#pragma once

#include <string>
#include <vector>

#include "base/error.hpp"

namespace joulecast::hardware {

/// A shipped file with the names it answers to.
struct ProfileEntry {
  std::string path;
  std::string name;
  std::vector<std::string> aliases;
};

/// All *.toml files of a folder with their `name` and `aliases`, by rising name. Throws UserError where the folder is missing or a file is torn.
std::vector<ProfileEntry> list_profiles(const std::string& folder);

/// The path of the file in `folder` whose name or alias is `wanted` (case does not matter); a name that ends in ".toml" is a path of its own,
/// relative to `place`'s file. Throws UserError at `place` with the nearest name where there is none. `what` is the kind in words: "GPU", "node",
/// "model".
std::string find_profile(const std::string& folder, const std::string& what, const std::string& wanted, const Place& place);

/// Folders below the share folder of the program: GPU and node profiles and model architectures.
inline std::string gpu_folder(const std::string& share) { return share + "/hardware_profiles/gpus"; }
inline std::string node_folder(const std::string& share) { return share + "/hardware_profiles/nodes"; }
inline std::string model_folder(const std::string& share) { return share + "/workloads/models"; }

}  // namespace joulecast::hardware
