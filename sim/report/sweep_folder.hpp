#pragma once

#include <filesystem>
#include <string>

#include "report/point_json.hpp"
#include "report/run_json.hpp"
#include "study/sweep.hpp"

namespace joulecast::report {

/// What a sweep leaves behind beside itself.
struct SweepFiles {
  RunFacts facts;
  int exit_code = 0;        ///< that the command ended with
  std::string report_text;  ///< report.txt
};

/// Writes run.json, sweep.json, sweep.csv, results.h5 and report.txt into the folder at `path`. All or nothing.
void write_sweep(const std::filesystem::path& path, bool force, const study::Sweep& sweep, const SweepFiles& files);

/// Writes run.json and shard.json into the folder at `path`. All or nothing.
void write_shard(const std::filesystem::path& path, bool force, const study::ListedSweep& listed, const Shard& shard, const RunFacts& facts);

/// What run.json says of the sweep, or of the shard of one, in a folder: "" and nothing where there is none.
struct SweepThere {
  std::string hash;
  std::size_t shard = 0, of = 0;  ///< 0 where the folder holds a whole sweep
  int exit_code = 0;
  Build build;
};
SweepThere sweep_there(const std::filesystem::path& folder);

/// The shard in a folder. Throws UserError where there is none or it is not whole.
Shard read_shard(const std::filesystem::path& folder);

}  // namespace joulecast::report
