#include "cli/sweep_run.hpp"

#include <fmt/format.h>

#include <map>

#include "cli/build_info.hpp"
#include "cli/progress.hpp"
#include "cli/run_facts.hpp"
#include "cli/scenario_input.hpp"

namespace joulecast::cli {

namespace fs = std::filesystem;

report::Build this_build() {
  const BuildInfo build = build_info();
  return {std::string(build.version), std::string(build.commit)};
}

SweepRun::SweepRun(const SweepArguments& arguments, int threads)
    : arguments_(arguments), threads_(threads), file_(load_sweep(arguments.scenario)), listed_(study::list_points(file_, threads)) {}

fs::path SweepRun::results() const {
  if (!arguments_.out.empty()) return arguments_.out;
  const std::string shard = arguments_.shard ? fmt::format(".shard-{}-of-{}", arguments_.shard->i, arguments_.shard->of) : "";
  return results_folder("", file_.name(), listed_.hash + shard);
}

fs::path SweepRun::points() const {
  const fs::path out = arguments_.out;
  if (out.empty()) return fs::path("runs") / (folder_name(file_.name()) + ".points");
  return (out.has_filename() ? out : out.parent_path()).string() + ".points";
}

std::string SweepRun::text_of(std::size_t point, const std::atomic<bool>& stop) const {
  const auto outcome = study::run_point(file_, point, &stop);
  return outcome ? report::point_json(*outcome, this_build()) : "";
}

Outcomes SweepRun::run(const std::vector<std::size_t>& wanted, const Ranks& ranks, const std::atomic<bool>& stop, Console& console) const {
  const report::KeptPoints kept(points(), this_build());
  kept.clean();
  Outcomes outcomes(file_.points());
  std::map<std::string, std::size_t> first;  // points with the same hash are one run
  std::vector<std::size_t> coming;
  std::size_t found = 0, cannot = 0;
  for (const std::size_t point : wanted) {
    const study::ListedPoint& listed = listed_.points[point];
    if (!listed.failure.empty()) {
      outcomes[point] = {{}, {}, listed.failure};
      ++cannot;
      continue;
    }
    if (!first.emplace(listed.hash, point).second) continue;
    if (!arguments_.force) outcomes[point] = kept.find(listed.hash);
    if (outcomes[point]) {
      ++found;
    } else {
      coming.push_back(point);
    }
  }
  if (cannot > 0) console.note(fmt::format("{} of {} points cannot run; the results say why", cannot, wanted.size()));
  if (found > 0) console.message(fmt::format("{} of {} points are kept from before", found, wanted.size()));

  Progress progress(console);
  std::size_t done = 0;
  const auto take = [&](std::size_t point, const std::string& text) {
    if (text.empty()) return;
    outcomes[point] = report::point_of(text, this_build());
    JOULECAST_CHECK(outcomes[point].has_value(), "what a point gave cannot be read back");
    if (outcomes[point]->failure.empty()) kept.keep(listed_.points[point].hash, text);
    progress.runs(++done, coming.size(), "points");
  };
  if (ranks.several()) {
    ranks.hand_out(
        coming, threads_, [&](std::size_t point) { return text_of(point, stop); }, [&] { return stop.load(); }, take);
  } else {
    study::run_points(file_, coming, threads_, &stop,
                      [&](std::size_t point, const study::PointOutcome& outcome) { take(point, report::point_json(outcome, this_build())); });
  }
  for (const std::size_t point : wanted) {
    const std::string& hash = listed_.points[point].hash;
    if (!outcomes[point] && !hash.empty()) outcomes[point] = outcomes[first.at(hash)];
  }
  return outcomes;
}

}  // namespace joulecast::cli
