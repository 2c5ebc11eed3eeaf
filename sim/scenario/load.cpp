#include "scenario/load.hpp"

#include <algorithm>
#include <filesystem>

#include "base/hash.hpp"
#include "config/diagnostics.hpp"
#include "scenario/placement.hpp"
#include "scenario/records.hpp"
#include "scenario/resolver.hpp"

namespace joulecast::scenario {

using config::Diagnostics;

Scenario load(const std::string& path, const LoadOptions& options) {
  config::Node root = config::load(path);
  for (const auto& assignment : options.sets) config::set(root, assignment);
  Diagnostics diagnostics;
  File file = file_record().read(root, diagnostics);
  diagnostics.throw_if_failed();
  if (file.name.empty()) file.name = std::filesystem::path(path).stem().string();
  if (file.name.find_first_of("/\\\n") != std::string::npos || file.name == "." || file.name == "..") {
    diagnostics.error({path, 0, 0}, "the name \"" + file.name + "\" can't name a folder", "leave out slashes and line ends");
  }
  if (options.seed) file.seed = static_cast<std::int64_t>(*options.seed);
  Scenario scenario = Resolver(file, options.share_dir, diagnostics).resolve();
  if (!diagnostics.failed()) check_placement(scenario, diagnostics);
  diagnostics.throw_if_failed();
  std::sort(scenario.inputs.begin(), scenario.inputs.end());
  scenario.inputs.erase(std::unique(scenario.inputs.begin(), scenario.inputs.end()), scenario.inputs.end());
  for (const auto& note : diagnostics.notes()) scenario.notes.push_back(note);
  return scenario;
}

std::string run_hash(const Scenario& scenario) {
  std::string content = resolved_toml(scenario);
  for (const auto& input : scenario.inputs) content += "\n" + sha256_of_file(input);
  return sha256(content).substr(0, 16);
}

std::vector<config::Parameter> schema() { return file_record().describe(); }

}  // namespace joulecast::scenario
