#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace joulecast::cli {

/// `joulecast plan SCENARIO`.
struct PlanArguments {
  std::string path;
  std::vector<std::string> sets;
  std::optional<std::uint64_t> seed;
  std::string out;     ///< as of a run
  bool force = false;  ///< likewise
  int threads = 0;     ///< candidates at once; 0: one a core
  bool json = false;
};

}  // namespace joulecast::cli
