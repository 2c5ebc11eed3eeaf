#pragma once

#include <string>

#include "cli/arguments.hpp"
#include "scenario/load_arms.hpp"
#include "scenario/load_sweep.hpp"
#include "scenario/scenario.hpp"

namespace joulecast::cli {

/// The scenario that the command line names. Throws UserError with all faults.
scenario::Scenario load_scenario(const ScenarioArguments& arguments);
/// The same with the arms of its [compare].
scenario::Arms load_arms(const ScenarioArguments& arguments);
/// The same with the points of its [sweep], where it has one.
bool has_sweep(const ScenarioArguments& arguments);
scenario::SweepFile load_sweep(const ScenarioArguments& arguments);

/// The same scenario as words of a command line, quoted for a shell.
std::string repeated(const ScenarioArguments& arguments);

}  // namespace joulecast::cli
