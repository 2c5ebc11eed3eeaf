#pragma once

#include <filesystem>
#include <string>

namespace joulecast::report {

/// The name of the page in a folder of results.
inline constexpr const char* kReportFile = "report.html";

/// One self-contained page of the results in `folder` (a run, comparison, sweep, plan or fit), made from its files alone: the same files give the same bytes.
/// Throws UserError where the folder holds no results, or those of a layout that this version does not read.
std::string html_report(const std::filesystem::path& folder);

/// A page of a training job's frontier, from what `frontier --json` prints.
std::string html_frontier(const std::string& frontier_json);

enum class TableFormat { markdown, latex };
/// The page's tables for a paper or a repository.
std::string report_tables(const std::filesystem::path& folder, TableFormat format);

/// The version that wrote the results; "" where they do not say.
std::string version_of_results(const std::filesystem::path& folder);

}  // namespace joulecast::report
