#pragma once

#include <filesystem>
#include <optional>
#include <string_view>

#include "cli/arguments.hpp"
#include "cli/console.hpp"
#include "scenario/scenario.hpp"

namespace joulecast::cli {

/// Whether the results in a folder come from this scenario and from inputs of the same content.
bool holds_run_of(const std::filesystem::path& folder, const scenario::Scenario& scenario);

/// Says that the results are there already (with --json: prints their summary) and returns the exit code that the run had.
int show_earlier_run(const std::filesystem::path& folder, const scenario::Scenario& scenario, const RunArguments& arguments, Console& console);

/// True, with a message, where a traffic's SLO is required and was not met; `arm`: of a comparison.
bool missed_required_slo(const scenario::Traffic& traffic, std::optional<double> attainment, Console& console, std::string_view arm = {});

}  // namespace joulecast::cli
