#pragma once

#include <string_view>

namespace joulecast::cli {

/// What this program was built from; written at build time.
struct BuildInfo {
  std::string_view version;     ///< "0.1.0"
  std::string_view commit;      ///< "1a2b3c4d5e6f", with "+changes" where the tree differed from it; "unknown" without git
  std::string_view compiler;    ///< "GNU 12.2.0"
  std::string_view build_type;  ///< "Release"
  std::string_view source;      ///< the source tree, whose profiles a program that is not installed uses
};

BuildInfo build_info();

}  // namespace joulecast::cli
