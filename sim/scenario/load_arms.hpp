#pragma once

#include <string>
#include <vector>

#include "scenario/load.hpp"
#include "scenario/tables/compare.hpp"

namespace joulecast::scenario {

/// One arm of a comparison, ready to run.
struct Arm {
  std::string name;
  Scenario scenario;
};

struct Arms {
  CompareTable compare;
  std::vector<Arm> arms;      ///< in the order of the file
  std::size_t reference = 0;  ///< the arm that the others are held against
};

/// Reads a scenario file with its `[compare]`: `--set` first, then, for each arm, the arm's keys merged into the file as `extends` does. Throws
/// UserError with the faults of the file and of all arms at once, a fault that several arms share once; without `[compare]` too.
Arms load_arms(const std::string& path, const LoadOptions& options);

}  // namespace joulecast::scenario
