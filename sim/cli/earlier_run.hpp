#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "cli/arguments.hpp"
#include "cli/console.hpp"
#include "scenario/scenario.hpp"

namespace joulecast::cli {

/// Whether the results in a folder come from this scenario, from inputs of the same content and from so many draws of errors (0: none).
bool holds_run_of(const std::filesystem::path& folder, const scenario::Scenario& scenario, int uncertainty);

/// The hash of a run, of a comparison, with so many draws of errors: its own without any.
std::string hash_with_draws(const std::string& hash, int uncertainty);

/// Says that the results are there already (with --json: prints their summary) and returns the exit code that the run had.
int show_earlier_run(const std::filesystem::path& folder, const scenario::Scenario& scenario, const RunArguments& arguments, Console& console);

/// True, with a message, where a traffic's SLO is required and was not met; `arm`: of a comparison.
bool missed_required_slo(const scenario::Traffic& traffic, std::optional<double> attainment, Console& console, std::string_view arm = {});

}  // namespace joulecast::cli
