#pragma once

#include <string>

namespace joulecast::cli {

/// The folder with hardware_profiles/ and workloads/: JOULECAST_SHARE, else share/joulecast beside the program's bin/, else the source tree that
/// the program was built from. Throws UserError where none of them holds profiles.
std::string share_folder();

}  // namespace joulecast::cli
