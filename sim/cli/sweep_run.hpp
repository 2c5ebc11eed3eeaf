#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cli/console.hpp"
#include "cli/sweep_arguments.hpp"
#include "cli/sweep_ranks.hpp"
#include "report/kept_points.hpp"
#include "study/sweep.hpp"

namespace joulecast::cli {

/// The build of this program, as kept points and shards name it.
report::Build this_build();

/// Outcomes by point; nothing where a point has not run.
using Outcomes = std::vector<std::optional<study::PointOutcome>>;

/// A sweep that is to run: its points, what is known of them, and where finished ones are kept.
class SweepRun {
 public:
  SweepRun(const SweepArguments& arguments, int threads);

  const scenario::SweepFile& file() const { return file_; }
  const study::ListedSweep& listed() const { return listed_; }
  int threads() const { return threads_; }
  /// Folders of the results and of the kept points.
  std::filesystem::path results() const;
  std::filesystem::path points() const;

  /// What is sent and kept of a point; "" where it was stopped.
  std::string text_of(std::size_t point, const std::atomic<bool>& stop) const;
  /// Runs those of `wanted` that are not kept, on the ranks, and keeps each as it is done. Incomplete where it was stopped.
  Outcomes run(const std::vector<std::size_t>& wanted, const Ranks& ranks, const std::atomic<bool>& stop, Console& console) const;

 private:
  const SweepArguments& arguments_;
  int threads_;
  scenario::SweepFile file_;
  study::ListedSweep listed_;
};

/// Writes the results of a whole sweep, shows them, and returns what the command ends with.
int finish_sweep(const SweepArguments& arguments, const SweepRun& run, std::vector<study::PointOutcome> outcomes,
                 std::chrono::steady_clock::time_point started, Console& console);

/// Shows results that are there already. nullopt where there are none of this sweep; throws UserError where others stand in their place.
std::optional<int> show_earlier_sweep(const SweepArguments& arguments, const SweepRun& run, Console& console);

/// `--merge`: the outcomes of the shards. Throws UserError with every fault: shards of another sweep or build, points that are in none.
std::vector<study::PointOutcome> merged_shards(const SweepArguments& arguments, const SweepRun& run);

}  // namespace joulecast::cli
