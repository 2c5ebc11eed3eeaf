#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cli/program.hpp"

namespace joulecast::test {

/// A sweep of 3 loads x 3 caps that takes well under a second a point.
inline std::string small_sweep() { return (source() / "scenarios/sweep-load-and-cap.toml").string(); }
/// `--set` that cuts it short, or makes it long enough to be killed on the way.
inline const std::vector<std::string> kShort = {"--set", "time.duration='8 s'", "--set", "time.warmup='1 s'"};
inline const std::vector<std::string> kLong = {"--set", "time.duration='6 min'", "--set", "time.warmup='1 s'"};

inline std::vector<std::string> joined(std::vector<std::string> words, const std::vector<std::string>& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

inline Ended sweep_in(const Scratch& scratch, const std::string& file, const std::vector<std::string>& more, int interrupt_after_ms = 0) {
  return run_joulecast(joined({"sweep", file}, more), {scratch.path().string(), {}, interrupt_after_ms});
}

/// Finished points in a folder of kept points.
inline std::size_t kept_points(const std::filesystem::path& folder) {
  std::size_t count = 0;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) count += entry.path().extension() == ".json" ? 1U : 0U;
  return count;
}

inline const std::vector<std::string> kSweepFiles = {"sweep.json", "sweep.csv", "report.txt", "results.h5"};

/// The files of two result folders in which they differ; empty for equal sweeps.
inline std::vector<std::string> differing(const std::filesystem::path& one, const std::filesystem::path& other) {
  std::vector<std::string> names;
  for (const std::string& name : kSweepFiles) {
    const std::string text = read_text(one / name);
    if (text.empty() || text != read_text(other / name)) names.push_back(name);
  }
  return names;
}

}  // namespace joulecast::test
