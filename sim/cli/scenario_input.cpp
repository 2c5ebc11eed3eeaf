#include "cli/scenario_input.hpp"

#include <fmt/format.h>

#include "base/shell_word.hpp"
#include "cli/share.hpp"
#include "scenario/load_arms.hpp"

namespace joulecast::cli {

namespace {

scenario::LoadOptions load_options(const ScenarioArguments& arguments) { return {arguments.sets, arguments.seed, share_folder()}; }

}  // namespace

scenario::Scenario load_scenario(const ScenarioArguments& arguments) { return scenario::load(arguments.path, load_options(arguments)); }

bool has_sweep(const ScenarioArguments& arguments) { return scenario::has_sweep(arguments.path, load_options(arguments)); }

scenario::SweepFile load_sweep(const ScenarioArguments& arguments) { return scenario::load_sweep(arguments.path, load_options(arguments)); }

scenario::Arms load_arms(const ScenarioArguments& arguments) { return scenario::load_arms(arguments.path, load_options(arguments)); }

std::string repeated(const ScenarioArguments& arguments) {
  std::string line = shell_word(arguments.path);
  for (const std::string& set : arguments.sets) line += " --set " + shell_word(set);
  if (arguments.seed) line += fmt::format(" --seed {}", *arguments.seed);
  return line;
}

}  // namespace joulecast::cli
