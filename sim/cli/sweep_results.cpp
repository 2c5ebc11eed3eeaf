#include <fmt/format.h>

#include <utility>

#include "cli/build_info.hpp"
#include "cli/commands.hpp"
#include "cli/file_text.hpp"
#include "cli/run_facts.hpp"
#include "cli/scenario_input.hpp"
#include "cli/sweep_run.hpp"
#include "report/run_folder.hpp"
#include "report/sweep_folder.hpp"
#include "report/sweep_json.hpp"
#include "report/sweep_settings.hpp"
#include "report/sweep_terminal.hpp"

namespace joulecast::cli {

namespace {

namespace fs = std::filesystem;

/// What the command ends with, and why where that is not 0.
int judged(const study::Sweep& sweep, Console& console) {
  if (sweep.failed() > 0) {
    console.message(fmt::format("{} of {} points failed: the column \"failure\" of sweep.csv says why", sweep.failed(), sweep.points.size()));
  }
  if (sweep.required.empty() || sweep.holding() > 0) return kDone;
  std::string traffics;
  for (const std::string& traffic : sweep.required) traffics += (traffics.empty() ? "" : ", ") + traffic;
  console.message(fmt::format("no point holds every SLO, and that of {} is required", traffics));
  return kNotHeld;
}

/// The best point by the first objective, as a run of its own.
std::string next_command(const SweepArguments& arguments, const study::Sweep& sweep) {
  for (const auto& best : sweep.best) {
    if (best) return "joulecast run " + repeated(arguments.scenario) + " " + report::settings_words(sweep.points[*best].listed.settings);
  }
  return "joulecast check " + repeated(arguments.scenario);
}

}  // namespace

int finish_sweep(const SweepArguments& arguments, const SweepRun& run, std::vector<study::PointOutcome> outcomes,
                 std::chrono::steady_clock::time_point started, Console& console) {
  const study::Sweep sweep = study::gather_sweep(run.file(), run.listed(), outcomes);
  const int code = judged(sweep, console);
  const fs::path folder = run.results();
  const bool replace = arguments.force || report::occupant(folder) == report::Occupant::partial_run;
  report::write_sweep(folder, replace, sweep, {run_facts(started, run.threads()), code, report::sweep_report(sweep, {})});
  if (arguments.json) {
    console.print(report::sweep_json(sweep));
    console.message(fmt::format("results: {}", folder.string()));
  } else {
    console.print(report::sweep_report(sweep, console.style()));
    console.print(fmt::format("\nresults  {}\n", folder.string()));
    if (arguments.merge.empty()) console.print(fmt::format("points   {} (kept for a wider sweep; may be removed)\n", run.points().string()));
    console.print(fmt::format("next     {}\n", next_command(arguments, sweep)));
  }
  console.flush();
  return code;
}

std::optional<int> show_earlier_sweep(const SweepArguments& arguments, const SweepRun& run, Console& console) {
  const fs::path folder = run.results();
  const report::Occupant there = report::occupant(folder);
  const report::SweepThere earlier = report::sweep_there(folder);
  const bool shard = arguments.shard.has_value();
  const bool same = there == report::Occupant::whole_run && earlier.hash == run.listed().hash && earlier.shard == (shard ? arguments.shard->i : 0) &&
                    earlier.of == (shard ? arguments.shard->of : 0);
  if (!same || arguments.force) {
    const report::RunFolder fits(folder, arguments.force || there == report::Occupant::partial_run);
    return std::nullopt;
  }
  if (!shard) console.print(file_text(folder / (arguments.json ? "sweep.json" : "report.txt")));
  console.flush();
  console.message(fmt::format("already there: {} (the same input gives the same results; --force runs it again)", folder.string()));
  const report::Build build = this_build();
  if (earlier.build != build) {
    console.note(fmt::format("another build made it, joulecast {} ({}); this is {} ({})", earlier.build.version, earlier.build.git_hash,
                             build.version, build.git_hash));
  }
  return earlier.exit_code;
}

}  // namespace joulecast::cli
