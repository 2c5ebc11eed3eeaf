#pragma once

#include <string>

namespace joulecast::cli {

/// `joulecast new policy NAME --kind replica`.
struct NewArguments {
  std::string what;  ///< "policy"
  std::string name;
  std::string kind;
  std::string checkout = ".";  ///< the source tree that gets it
  bool json = false;
};

}  // namespace joulecast::cli
