#pragma once

#include <string>

#include "cli/arguments.hpp"
#include "scenario/load_arms.hpp"
#include "scenario/scenario.hpp"

namespace joulecast::cli {

/// The scenario that the command line names. Throws UserError with all faults.
scenario::Scenario load_scenario(const ScenarioArguments& arguments);
/// The same with the arms of its [compare].
scenario::Arms load_arms(const ScenarioArguments& arguments);

/// The same scenario as words of a command line, quoted for a shell.
std::string repeated(const ScenarioArguments& arguments);

/// One word, quoted for a POSIX shell where it must be.
std::string shell_word(const std::string& text);

}  // namespace joulecast::cli
