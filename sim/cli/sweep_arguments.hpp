#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "cli/scenario_arguments.hpp"

namespace joulecast::cli {

/// `--shard i/n`: points i - 1, i - 1 + n, ...
struct ShardArgument {
  std::size_t i = 1, of = 1;
};

/// `joulecast sweep scenario.toml`.
struct SweepArguments {
  ScenarioArguments scenario;
  std::string out;     ///< as of a run
  bool force = false;  ///< replaces results that are there, and runs points again that are kept
  int threads = 0;     ///< points at once; 0: one a core, or one a rank
  std::optional<ShardArgument> shard;
  std::vector<std::string> merge;  ///< folders of shards; nothing is run then
  bool json = false;
};

}  // namespace joulecast::cli
