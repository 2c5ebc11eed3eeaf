#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "report/iteration.hpp"
#include "report/run_json.hpp"
#include "scenario/result.hpp"
#include "study/uncertainty.hpp"

namespace joulecast::report {

/// What stands at a place where a run's results could go.
enum class Occupant { nothing, empty_folder, whole_run, partial_run, something_else };
Occupant occupant(const std::filesystem::path& path);

/// A folder that is filled aside, at `<path>.partial-<process id>`, and takes its name when it is whole. Whatever ends its life before
/// `commit`, an exception or an interruption, removes what lies aside.
class RunFolder {
 public:
  /// Throws UserError unless nothing or an empty folder is at `path`, or, with `force`, another run's results. Creates nothing.
  RunFolder(std::filesystem::path path, bool force);
  RunFolder(const RunFolder&) = delete;
  RunFolder& operator=(const RunFolder&) = delete;
  ~RunFolder();

  /// Creates the folder aside, and those above it; throws UserError where that is not possible.
  const std::filesystem::path& open();
  /// Writes a file into it; throws UserError where that is not possible.
  void write(const std::string& name, const std::string& content);
  /// Gives the folder its name; with `force`, in place of the results that stood there.
  void commit();

 private:
  std::filesystem::path path_, aside_;
  bool force_;
  bool open_ = false;
};

/// What a run leaves behind beside its Result.
struct RunFiles {
  RunFacts facts;
  std::string resolved_scenario;                    ///< scenario.resolved.toml, not written where empty
  std::string report_text;                          ///< report.txt, the terminal's tables; not written where empty
  bool requests = false;                            ///< requests.csv, of the requests that the result kept
  std::string timeline = {};                        ///< timeline.json, not written where empty
  std::vector<Iteration> iterations = {};           ///< of the training jobs, into results.h5
  const study::Uncertainty* uncertainty = nullptr;  ///< uncertainty.csv, and its part of the other files; null without
  bool partial = false;                             ///< the run is whole, and something that was asked for beside it was interrupted
};

/// Writes run.json, scenario.resolved.toml, summary.json, summary.csv, report.txt, results.h5, report.html and, where asked for, timeline.json, requests.csv and uncertainty.csv into the
/// folder at `path`. All or nothing; a partial result is written too and says so.
void write_run(const std::filesystem::path& path, bool force, const scenario::Result& result, const RunFiles& files);

}  // namespace joulecast::report
