#pragma once

#include <string>

#include "scenario/result.hpp"

namespace joulecast::report {

/// The program and how a run went: what may differ between two equal runs.
struct RunFacts {
  std::string version, git_hash, compiler, host;
  int threads = 1;
  double wall_s = 0, cpu_s = 0;
  double peak_memory_bytes = 0;
};

/// run.json: these facts, the seed, the engine's events and windows, a fingerprint where one was asked for, and the sha256 of every input.
/// `partial`: the run is whole, but what was asked for beside it is not.
std::string run_json(const RunFacts& facts, const scenario::Result& result, bool partial = false);

}  // namespace joulecast::report
