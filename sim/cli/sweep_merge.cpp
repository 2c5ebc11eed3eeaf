#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "cli/sweep_run.hpp"
#include "report/sweep_folder.hpp"

namespace joulecast::cli {

namespace {

constexpr std::size_t kMostNamed = 8;

std::string text_of(const report::Build& build) { return fmt::format("joulecast {} ({})", build.version, build.git_hash); }

std::string coordinates(const study::ListedPoint& point) {
  std::string text;
  for (const std::string& setting : point.settings) text += (text.empty() ? "" : " ") + setting;
  return text;
}

/// What is wrong with a shard of this sweep; "" where nothing is.
std::string mismatch(const report::Shard& shard, const SweepRun& run) {
  if (shard.build != this_build()) return fmt::format("another build made this shard, {}; this is {}", text_of(shard.build), text_of(this_build()));
  if (shard.sweep != run.listed().hash) return "this is a shard of another scenario, of other settings or of other inputs";
  return "";
}

}  // namespace

std::vector<study::PointOutcome> merged_shards(const SweepArguments& arguments, const SweepRun& run) {
  std::vector<UserFault> faults;
  Outcomes outcomes(run.file().points());
  std::size_t of = 0;
  for (const std::string& folder : arguments.merge) {
    try {
      report::Shard shard = report::read_shard(folder);
      const std::string wrong = mismatch(shard, run);
      if (!wrong.empty()) {
        faults.push_back({Place{folder}, wrong, "run the shard again with the command and the program that merge"});
        continue;
      }
      of = shard.of;
      for (auto& [point, outcome] : shard.points) {
        if (point < outcomes.size()) outcomes[point] = std::move(outcome);
      }
    } catch (const UserError& error) {
      faults.insert(faults.end(), error.faults().begin(), error.faults().end());
    }
  }
  std::vector<std::size_t> missing;
  for (std::size_t point = 0; point < outcomes.size(); ++point) {
    if (!outcomes[point]) missing.push_back(point);
  }
  const bool all_fit = faults.empty();
  for (std::size_t i = 0; all_fit && i < std::min(missing.size(), kMostNamed); ++i) {
    const std::size_t point = missing[i];
    const bool last = i + 1 == kMostNamed && missing.size() > kMostNamed;
    faults.push_back({Place{run.file().path()},
                      fmt::format("point {} ({}){} in none of the shards", point, coordinates(run.listed().points[point]),
                                  last ? fmt::format(" and {} further ones are", missing.size() - kMostNamed) : " is"),
                      fmt::format("merge shard {}/{} too, or run it", point % of + 1, of)});
  }
  if (!faults.empty()) throw UserError(std::move(faults));
  std::vector<study::PointOutcome> all;
  for (auto& outcome : outcomes) all.push_back(*std::move(outcome));
  return all;
}

}  // namespace joulecast::cli
