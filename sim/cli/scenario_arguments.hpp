#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace joulecast::cli {

/// A scenario file with what the command line changes in it.
struct ScenarioArguments {
  std::string path;
  std::vector<std::string> sets;
  std::optional<std::uint64_t> seed;
};

}  // namespace joulecast::cli
