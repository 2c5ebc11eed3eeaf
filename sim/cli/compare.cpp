#include "study/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "cli/commands.hpp"
#include "cli/draws_warning.hpp"
#include "cli/earlier_run.hpp"
#include "cli/file_text.hpp"
#include "cli/interrupt.hpp"
#include "cli/progress.hpp"
#include "cli/run_facts.hpp"
#include "cli/scenario_input.hpp"
#include "report/compare_folder.hpp"
#include "report/compare_json.hpp"
#include "report/compare_terminal.hpp"
#include "report/run_folder.hpp"

namespace joulecast::cli {
namespace {

namespace fs = std::filesystem;

int show_earlier(const fs::path& folder, const CompareArguments& arguments, Console& console) {
  console.print(file_text(folder / (arguments.json ? "compare.json" : "report.txt")));
  console.flush();
  console.message(fmt::format("already there: {} (the same input gives the same results; --force runs it again)", folder.string()));
  return report::exit_code_of_comparison(folder);
}

std::optional<study::Comparison> run_arms(const scenario::Arms& arms, int threads, Console& console) {
  const Interrupt interrupt;
  Progress progress(console);
  study::CompareOptions options;
  options.threads = threads;
  options.stop = &interrupt.stop();
  options.progress = [&](std::size_t done, std::size_t all) { progress.runs(done, all); };
  return study::compare(arms, options);
}

/// Draws errors in the arms where that was asked for; true where it was interrupted.
bool draw_errors(const scenario::Arms& arms, study::Comparison& comparison, int draws, int threads, Console& console) {
  if (draws == 0 || comparison.partial) return false;
  const bool held = std::all_of(comparison.arms.begin(), comparison.arms.end(), [](const study::ComparedArm& arm) { return arm.result.has_value(); });
  if (!held) {
    console.message("no errors are drawn: some arm has no load at which its SLO holds");
    return false;
  }
  warn_of_few_draws(draws, console);
  const Interrupt interrupt;
  Progress progress(console);
  study::CompareOptions options;
  options.threads = threads;
  options.stop = &interrupt.stop();
  options.progress = [&](std::size_t done, std::size_t all) { progress.runs(done, all); };
  comparison.drawn = study::draw_arms(arms, comparison, static_cast<std::size_t>(draws), options);
  return !comparison.drawn || comparison.drawn->partial;
}

/// Says what is wrong with an arm, and returns what the command ends with.
int judged(const study::Comparison& comparison, Console& console) {
  int code = kDone;
  for (const study::ComparedArm& arm : comparison.arms) {
    if (!arm.held()) {
      console.message(arm.once.held() ? fmt::format("arm \"{}\": no load holds its SLO in {} of {} replications, so its figures are not known",
                                                    arm.name, arm.not_held(), arm.runs.size())
                                      : fmt::format("arm \"{}\": no load holds its SLO", arm.name));
      code = kNotHeld;
      continue;
    }
    for (std::size_t t = 0; arm.result && t < arm.scenario.traffics.size(); ++t) {
      if (missed_required_slo(arm.scenario.traffics[t], arm.result->traffics[t].slo_attainment, console, arm.name)) code = kNotHeld;
    }
  }
  if (!comparison.partial) return code;
  console.message(fmt::format("interrupted: the results hold {} replications and are marked partial", comparison.replications.size()));
  return kInterrupted;
}

}  // namespace

int compare(const CompareArguments& arguments, Console& console) {
  const auto started = std::chrono::steady_clock::now();
  const scenario::Arms arms = load_arms(arguments.scenario);
  const std::string hash = hash_with_draws(study::comparison_hash(arms), arguments.uncertainty);
  const fs::path folder = results_folder(arguments.out, arms.arms.front().scenario.name, hash);
  const report::Occupant there = report::occupant(folder);
  const bool same = there == report::Occupant::whole_run && report::hash_of_comparison(folder) == hash;
  if (same && !arguments.force) return show_earlier(folder, arguments, console);
  const bool replace = arguments.force || there == report::Occupant::partial_run;
  { const report::RunFolder fits(folder, replace); }

  const int threads = threads_or_cores(arguments.threads);
  auto comparison = run_arms(arms, threads, console);
  if (!comparison) {
    console.message("interrupted before every arm had run once: nothing is written");
    return kInterrupted;
  }
  const bool cut = draw_errors(arms, *comparison, arguments.uncertainty, threads, console);
  int code = judged(*comparison, console);
  if (cut) {
    console.message(comparison->drawn
                        ? fmt::format("interrupted: the intervals by profiles' errors are of {} of {} draws, and the results are marked partial",
                                      comparison->drawn->numbers.size(), arguments.uncertainty)
                        : fmt::format("interrupted before {} draws were done: the results are without them, and marked partial", study::kLeastDraws));
    code = kInterrupted;
  }
  report::CompareFiles files{run_facts(started, threads), hash, code, report::compare_report(*comparison, {}), cut};
  report::write_comparison(folder, replace, *comparison, files);
  if (arguments.json) {
    console.print(report::compare_json(*comparison));
    console.message(fmt::format("results: {}", folder.string()));
  } else {
    console.print(report::compare_report(*comparison, console.style()));
    console.print(fmt::format("\nresults  {}\n", folder.string()));
  }
  console.flush();
  return code;
}

}  // namespace joulecast::cli
