#include "study/plan.hpp"

#include <fmt/format.h>

#include <chrono>

#include "base/shell_word.hpp"
#include "cli/commands.hpp"
#include "cli/file_text.hpp"
#include "cli/interrupt.hpp"
#include "cli/progress.hpp"
#include "cli/run_facts.hpp"
#include "cli/scenario_input.hpp"
#include "cli/share.hpp"
#include "report/plan_folder.hpp"
#include "report/plan_json.hpp"
#include "report/plan_terminal.hpp"
#include "report/run_folder.hpp"

namespace joulecast::cli {
namespace {

namespace fs = std::filesystem;

int show_earlier(const fs::path& folder, const PlanArguments& arguments, Console& console) {
  console.print(file_text(folder / (arguments.json ? "plan.json" : "report.txt")));
  console.flush();
  console.message(fmt::format("already there: {} (the same input gives the same results; --force plans it again)", folder.string()));
  return report::exit_code_of_plan(folder);
}

std::optional<study::Plan> planned(const scenario::PlanInput& input, int threads, Console& console) {
  const Interrupt interrupt;
  Progress progress(console);
  study::PlanOptions options;
  options.threads = threads;
  options.stop = &interrupt.stop();
  options.progress = [&](std::size_t done, std::size_t all) { progress.runs(done, all); };
  return study::plan(input, options);
}

void show(const study::Plan& plan, const fs::path& folder, const PlanArguments& arguments, Console& console) {
  if (arguments.json) {
    console.print(report::plan_json(plan));
    console.message(fmt::format("results: {}", folder.string()));
    return;
  }
  console.print(report::plan_report(plan, console.style()));
  console.print(fmt::format("\nresults  {}\n", folder.string()));
  if (const auto headline = plan.headline()) {
    const fs::path scenario = folder / "plans" / (plan.fleets[*headline].candidate.name + ".toml");
    console.print(fmt::format("next     joulecast run {}\n", shell_word(scenario.string())));
  }
}

}  // namespace

int plan(const PlanArguments& arguments, Console& console) {
  const auto started = std::chrono::steady_clock::now();
  const scenario::PlanInput input = scenario::load_plan(arguments.path, {arguments.sets, arguments.seed, share_folder()});
  const std::string hash = study::plan_hash(input);
  const fs::path folder = results_folder(arguments.out, input.name, hash);
  const report::Occupant there = report::occupant(folder);
  if (there == report::Occupant::whole_run && report::hash_of_plan(folder) == hash && !arguments.force)
    return show_earlier(folder, arguments, console);
  const bool replace = arguments.force || there == report::Occupant::partial_run;
  { const report::RunFolder fits(folder, replace); }

  const int threads = threads_or_cores(arguments.threads);
  const auto plan = planned(input, threads, console);
  if (!plan) {
    console.message("interrupted before every candidate was judged: nothing is written");
    return kInterrupted;
  }
  const int code = plan->most_frugal ? kDone : kNotHeld;
  if (code == kNotHeld) console.message("no fleet holds what is asked; nearest: " + plan->binding);
  report::write_plan(folder, replace, *plan, {run_facts(started, threads), hash, code, report::plan_report(*plan, {})});
  show(*plan, folder, arguments, console);
  console.flush();
  return code;
}

}  // namespace joulecast::cli
