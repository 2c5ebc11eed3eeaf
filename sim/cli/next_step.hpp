#pragma once

#include <string>

#include "cli/arguments.hpp"
#include "scenario/result.hpp"
#include "scenario/scenario.hpp"

namespace joulecast::cli {

/// A command worth trying after a run, ready to paste: one more replica where an SLO was missed, else a lower clock, else a line a request.
std::string next_command(const scenario::Scenario& scenario, const scenario::Result& result, const ScenarioArguments& arguments);

}  // namespace joulecast::cli
