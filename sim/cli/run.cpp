#include <fmt/format.h>

#include <chrono>
#include <fstream>

#include "base/hash.hpp"
#include "cli/commands.hpp"
#include "cli/draws_warning.hpp"
#include "cli/earlier_run.hpp"
#include "cli/interrupt.hpp"
#include "cli/next_step.hpp"
#include "cli/progress.hpp"
#include "cli/run_facts.hpp"
#include "cli/scenario_input.hpp"
#include "report/run_folder.hpp"
#include "report/summary.hpp"
#include "report/terminal.hpp"
#include "report/timeline.hpp"
#include "scenario/load.hpp"
#include "scenario/simulate.hpp"
#include "study/uncertainty.hpp"

namespace joulecast::cli {
namespace {

namespace fs = std::filesystem;

scenario::Result simulate(const scenario::Scenario& scenario, const RunArguments& arguments, int threads, Console& console) {
  const Interrupt interrupt;
  Progress progress(console);
  scenario::RunOptions options;
  options.threads = threads;
  options.step_mode = arguments.step_mode;
  options.fingerprints = !arguments.fingerprint.empty();
  options.keep_requests = arguments.requests;
  options.stop = &interrupt.stop();
  options.progress = [&](double now_s, double horizon_s, std::uint64_t events) { progress(now_s, horizon_s, events); };
  return scenario::simulate(scenario, options);
}

/// Draws what the run was asked to draw; nothing where it was interrupted too soon, or the run itself was.
std::optional<study::Uncertainty> draw_errors(const scenario::Scenario& scenario, const scenario::Result& result, int draws, int threads,
                                              Console& console) {
  if (draws == 0 || result.partial) return std::nullopt;
  warn_of_few_draws(draws, console);
  const Interrupt interrupt;
  Progress progress(console);
  study::UncertaintyOptions options;
  options.draws = static_cast<std::size_t>(draws);
  options.threads = threads;
  options.stop = &interrupt.stop();
  options.progress = [&](std::size_t done, std::size_t all) { progress.runs(done, all); };
  return study::uncertainty(scenario, result, options);
}

void write_text(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (!file) throw UserError(Place{path}, "cannot write the fingerprints here", "choose another file with --fingerprint");
}

int exit_code(const scenario::Scenario& scenario, const scenario::Result& result, Console& console) {
  if (result.partial) {
    console.message(fmt::format("interrupted: the results cover the first {:g} s of simulated time and are marked partial", result.horizon_s));
    return kInterrupted;
  }
  int code = kDone;
  for (std::size_t i = 0; i < scenario.traffics.size() && i < result.traffics.size(); ++i) {
    if (missed_required_slo(scenario.traffics[i], result.traffics[i].slo_attainment, console)) code = kNotHeld;
  }
  return code;
}

}  // namespace

int run(const RunArguments& arguments, Console& console) {
  const auto started = std::chrono::steady_clock::now();
  const scenario::Scenario scenario = load_scenario(arguments.scenario);
  const fs::path folder =
      results_folder(arguments.out, scenario.name, arguments.out.empty() ? hash_with_draws(scenario::run_hash(scenario), arguments.uncertainty) : "");
  const report::Occupant there = report::occupant(folder);
  // Looks first, so that no one waits for a run whose results have no place.
  const bool same = there == report::Occupant::whole_run && (arguments.out.empty() || holds_run_of(folder, scenario, arguments.uncertainty));
  const bool enough = same && arguments.fingerprint.empty() && (!arguments.requests || fs::exists(folder / "requests.csv")) &&
                      (!arguments.timeline || fs::exists(folder / "timeline.json"));
  if (enough && !arguments.force) return show_earlier_run(folder, scenario, arguments, console);
  const bool replace = arguments.force || same || there == report::Occupant::partial_run;
  { const report::RunFolder fits(folder, replace); }

  const int threads = threads_or_cores(arguments.threads);
  scenario::Result result = simulate(scenario, arguments, threads, console);
  if (!arguments.fingerprint.empty()) {
    write_text(arguments.fingerprint, result.fingerprint);
    result.fingerprint = sha256(result.fingerprint);  // all of them in run.json's one line
  }

  const auto known = draw_errors(scenario, result, arguments.uncertainty, threads, console);

  report::RunFiles files;
  files.uncertainty = known ? &*known : nullptr;
  files.partial = arguments.uncertainty > 0 && (!known || known->partial);
  files.facts = run_facts(started, threads);
  files.resolved_scenario = scenario::resolved_toml(scenario);
  files.report_text = report::terminal_report(result, {}, files.uncertainty);
  files.requests = arguments.requests;
  if (arguments.timeline) files.timeline = report::timeline_json(scenario, result);
  files.iterations = report::iterations_of(scenario, result);
  report::write_run(folder, replace, result, files);

  if (arguments.json) {
    console.print(report::summary_json(result, files.uncertainty));
    console.message(fmt::format("results: {}", folder.string()));
  } else {
    console.print(report::terminal_report(result, console.style(), files.uncertainty));
    console.print(fmt::format("\nresults  {}\nnext     {}\n", folder.string(), next_command(scenario, result, arguments.scenario)));
  }
  console.flush();
  if (files.partial && !result.partial) {
    console.message(
        known ? fmt::format("interrupted: the intervals are of {} of {} draws and are marked partial", known->draws.size(), known->asked)
              : fmt::format("interrupted before {} draws were done: the results are of the run alone, and marked partial", study::kLeastDraws));
    return kInterrupted;
  }
  return exit_code(scenario, result, console);
}

}  // namespace joulecast::cli
