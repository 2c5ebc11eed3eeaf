#pragma once

#include <filesystem>
#include <string>

#include "report/run_json.hpp"
#include "study/compare.hpp"

namespace joulecast::report {

/// What a comparison leaves behind beside itself.
struct CompareFiles {
  RunFacts facts;
  std::string hash;         ///< study::comparison_hash
  int exit_code = 0;        ///< that the command ended with
  std::string report_text;  ///< report.txt
  bool partial = false;     ///< draws that were asked for were interrupted
};

/// Writes run.json, compare.json, compare.csv, report.txt, results.h5 and, for each arm, arms/NAME/ with scenario.resolved.toml, summary.json and
/// summary.csv of the run that stands for the whole, into the folder at `path`. All or nothing.
void write_comparison(const std::filesystem::path& path, bool force, const study::Comparison& comparison, const CompareFiles& files);

/// The comparison whose results are in a folder; "" where they are not a comparison's.
std::string hash_of_comparison(const std::filesystem::path& folder);
/// The exit code that it ended with.
int exit_code_of_comparison(const std::filesystem::path& folder);

}  // namespace joulecast::report
