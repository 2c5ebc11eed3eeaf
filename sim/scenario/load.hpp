#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "config/record.hpp"
#include "scenario/scenario.hpp"

namespace joulecast::scenario {

struct LoadOptions {
  std::vector<std::string> sets;      ///< `--set` assignments, applied in order
  std::optional<std::uint64_t> seed;  ///< overrides the file's
  std::string share_dir;              ///< the folder with hardware_profiles/ and workloads/
};

/// Reads, merges and checks a scenario file. Throws UserError with all faults at once.
Scenario load(const std::string& path, const LoadOptions& options);

/// The same of text that stands for a file of that name; paths in it are relative to the name's folder.
Scenario load_text(const std::string& toml, const std::string& name, const LoadOptions& options);

/// The file with what it extends and `--set` merged, not yet checked; and the scenario that such a tree says, paths in it as of its places.
config::Node load_tree(const std::string& path, const LoadOptions& options);
Scenario load_from_tree(const config::Node& root, const std::string& path, const LoadOptions& options);

/// The scenario with every default written out, as a file that runs to the same result.
std::string resolved_toml(const Scenario& scenario);

/// The hash that names a run: of the resolved scenario and of the content of every input. 16 hexadecimal digits.
std::string run_hash(const Scenario& scenario);

/// Every key a scenario may have.
std::vector<config::Parameter> schema();

}  // namespace joulecast::scenario
