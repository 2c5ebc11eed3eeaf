#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <thread>

#include "base/hash.hpp"
#include "cli/build_info.hpp"
#include "cli/commands.hpp"
#include "cli/earlier_run.hpp"
#include "cli/interrupt.hpp"
#include "cli/next_step.hpp"
#include "cli/progress.hpp"
#include "cli/scenario_input.hpp"
#include "report/run_folder.hpp"
#include "report/summary.hpp"
#include "report/terminal.hpp"
#include "report/timeline.hpp"
#include "scenario/load.hpp"
#include "scenario/simulate.hpp"

namespace joulecast::cli {
namespace {

namespace fs = std::filesystem;

/// The scenario's name as a folder's: letters, digits, dot, dash and underscore stay, anything else becomes a dash.
std::string folder_name(const std::string& name) {
  std::string out;
  for (const char c : name) {
    const bool stays = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '-';
    if (stays) {
      out += c;
    } else if (!out.empty() && out.back() != '-') {
      out += '-';
    }
  }
  return out.substr(0, 80);
}

std::string host_name() {
  char name[256] = {};
  return gethostname(name, sizeof name - 1) == 0 ? name : "";
}

double cpu_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& t) { return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec); };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

double peak_memory_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return 1024.0 * static_cast<double>(usage.ru_maxrss);
}

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
  const fs::path folder = arguments.out.empty() ? fs::path("runs") / fmt::format("{}-{}", folder_name(scenario.name), scenario::run_hash(scenario))
                                                : fs::path(arguments.out);
  const report::Occupant there = report::occupant(folder);
  // Looks first, so that no one waits for a run whose results have no place.
  const bool same = there == report::Occupant::whole_run && (arguments.out.empty() || holds_run_of(folder, scenario));
  const bool enough = same && arguments.fingerprint.empty() && (!arguments.requests || fs::exists(folder / "requests.csv")) &&
                      (!arguments.timeline || fs::exists(folder / "timeline.json"));
  if (enough && !arguments.force) return show_earlier_run(folder, scenario, arguments, console);
  const bool replace = arguments.force || same || there == report::Occupant::partial_run;
  { const report::RunFolder fits(folder, replace); }

  const unsigned cores = std::thread::hardware_concurrency();
  const int threads = arguments.threads > 0 ? arguments.threads : static_cast<int>(std::max(1U, cores));
  scenario::Result result = simulate(scenario, arguments, threads, console);
  if (!arguments.fingerprint.empty()) {
    write_text(arguments.fingerprint, result.fingerprint);
    result.fingerprint = sha256(result.fingerprint);  // all of them in run.json's one line
  }

  const BuildInfo build = build_info();
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - started;
  report::RunFiles files;
  files.facts = {std::string(build.version),
                 std::string(build.commit),
                 fmt::format("{}, {}", build.compiler, build.build_type),
                 host_name(),
                 threads,
                 wall.count(),
                 cpu_seconds(),
                 peak_memory_bytes()};
  files.resolved_scenario = scenario::resolved_toml(scenario);
  files.report_text = report::terminal_report(result, {});
  files.requests = arguments.requests;
  if (arguments.timeline) files.timeline = report::timeline_json(scenario, result);
  report::write_run(folder, replace, result, files);

  if (arguments.json) {
    console.print(report::summary_json(result));
    console.message(fmt::format("results: {}", folder.string()));
  } else {
    console.print(report::terminal_report(result, console.style()));
    console.print(fmt::format("\nresults  {}\nnext     {}\n", folder.string(), next_command(scenario, result, arguments.scenario)));
  }
  console.flush();
  return exit_code(scenario, result, console);
}

}  // namespace joulecast::cli
