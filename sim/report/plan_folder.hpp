#pragma once

#include <filesystem>
#include <string>

#include "report/run_json.hpp"
#include "study/plan.hpp"

namespace joulecast::report {

/// What a plan leaves behind beside itself.
struct PlanFiles {
  RunFacts facts;
  std::string hash;  ///< study::plan_hash
  int exit_code = 0;
  std::string report_text;  ///< report.txt
};

/// Writes run.json, plan.json, plan.csv, report.txt and, for each fleet that holds, plans/NAME.toml, which `joulecast run` runs, into the folder at `path`. All
/// or nothing.
void write_plan(const std::filesystem::path& path, bool force, const study::Plan& plan, const PlanFiles& files);

/// The plan whose results are in a folder; "" where they are not a plan's; and the exit code that it ended with.
std::string hash_of_plan(const std::filesystem::path& folder);
int exit_code_of_plan(const std::filesystem::path& folder);

}  // namespace joulecast::report
