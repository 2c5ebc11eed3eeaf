#pragma once

#include <chrono>
#include <filesystem>
#include <string>

#include "report/run_json.hpp"

namespace joulecast::cli {

/// A scenario's name as a folder's: letters, digits, dot, dash and underscore stay, anything else becomes a dash.
std::string folder_name(const std::string& name);

/// The folder that was asked for with --out, or runs/NAME-HASH.
std::filesystem::path results_folder(const std::string& out, const std::string& name, const std::string& hash);

/// The number of threads that was asked for with -j, or one a core.
int threads_or_cores(int asked);

/// How a run went that began then.
report::RunFacts run_facts(std::chrono::steady_clock::time_point started, int threads);

}  // namespace joulecast::cli
