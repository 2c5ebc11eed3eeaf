#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <utility>

#include "base/error.hpp"
#include "cli/commands.hpp"
#include "cli/interrupt.hpp"
#include "cli/run_facts.hpp"
#include "cli/scenario_input.hpp"
#include "cli/sweep_ranks.hpp"
#include "cli/sweep_run.hpp"
#include "report/sweep_folder.hpp"

namespace joulecast::cli {
namespace {

using Clock = std::chrono::steady_clock;

std::string host_name() {
  char name[256] = {};
  return gethostname(name, sizeof name - 1) == 0 ? name : "";
}

/// Throws UserError on all ranks where not all are the same program: their results could differ.
void check_builds(const Ranks& ranks) {
  const report::Build build = this_build();
  const auto builds = ranks.all(fmt::format("joulecast {} ({}) on {}", build.version, build.git_hash, host_name()));
  const auto program = [](const std::string& text) { return text.substr(0, text.rfind(" on ")); };
  for (std::size_t r = 1; r < builds.size(); ++r) {
    if (program(builds[r]) == program(builds[0])) continue;
    throw UserError({}, fmt::format("rank {} runs another build than rank 0: {}; rank 0: {}", r, builds[r], builds[0]),
                    "start the same program on all ranks, built from one source tree");
  }
}

/// Reads the sweep on every rank. Throws UserError on all of them where one can't, or reads another.
SweepRun prepared(const SweepArguments& arguments, int threads, const Ranks& ranks) {
  std::optional<SweepRun> run;
  std::optional<UserError> failed;
  try {
    run.emplace(arguments, threads);
  } catch (const UserError& error) {
    failed = error;
  }
  const auto said = ranks.all(failed ? std::string("!") + failed->what() : run->listed().hash);
  if (failed && ranks.rank() == 0) throw *failed;
  for (std::size_t r = 0; r < said.size(); ++r) {
    if (said[r].starts_with("!"))
      throw UserError({}, fmt::format("rank {} cannot read the sweep: {}", r, said[r].substr(1)), "all ranks must see the same files");
    if (said[r] != said[0]) {
      throw UserError({}, fmt::format("rank {} reads another sweep than rank 0: its scenario or inputs differ", r),
                      "all ranks must see the same files");
    }
  }
  return *std::move(run);
}

std::vector<std::size_t> wanted_points(const SweepArguments& arguments, std::size_t count) {
  std::vector<std::size_t> wanted;
  const ShardArgument shard = arguments.shard.value_or(ShardArgument{});
  for (std::size_t point = shard.i - 1; point < count; point += shard.of) wanted.push_back(point);
  return wanted;
}

int interrupted(const SweepRun& run, const Outcomes& outcomes, const std::vector<std::size_t>& wanted, const SweepArguments& arguments,
                Console& console) {
  std::size_t done = 0;
  for (const std::size_t point : wanted) done += outcomes[point].has_value() ? 1 : 0;
  const std::string shard = arguments.shard ? fmt::format(" --shard {}/{}", arguments.shard->i, arguments.shard->of) : "";
  const std::string out = arguments.out.empty() ? "" : " --out " + arguments.out;
  console.message(fmt::format("interrupted: {} of {} points are kept in {}; go on with\n  joulecast sweep {}{}{}", done, wanted.size(),
                              run.points().string(), repeated(arguments.scenario), shard, out));
  return kInterrupted;
}

int finish_shard(const SweepArguments& arguments, const SweepRun& run, const Outcomes& outcomes, const std::vector<std::size_t>& wanted,
                 Clock::time_point started, Console& console) {
  report::Shard shard{this_build(), run.listed().hash, arguments.shard->i, arguments.shard->of, {}};
  for (const std::size_t point : wanted) shard.points.emplace(point, *outcomes[point]);
  report::write_shard(run.results(), arguments.force, run.listed(), shard, run_facts(started, run.threads()));
  console.print(
      fmt::format("shard {} of {}: {} of {} points\n\nresults  {}\n", shard.i, shard.of, wanted.size(), run.file().points(), run.results().string()));
  console.print(fmt::format("next     joulecast sweep {} --merge DIR.., once all shards have run\n", repeated(arguments.scenario)));
  console.flush();
  return kDone;
}

/// Of the only rank, or of rank 0.
int lead(const SweepArguments& arguments, const SweepRun& run, const Ranks& ranks, Clock::time_point started, Console& console) {
  if (const auto code = show_earlier_sweep(arguments, run, console)) {
    if (ranks.several()) ranks.hand_out({}, 1, {}, [] { return true; }, {});
    return *code;
  }
  if (!arguments.merge.empty()) return finish_sweep(arguments, run, merged_shards(arguments, run), started, console);
  const auto wanted = wanted_points(arguments, run.file().points());
  Outcomes outcomes;
  {
    const Interrupt interrupt;
    outcomes = run.run(wanted, ranks, interrupt.stop(), console);
  }
  for (const std::size_t point : wanted) {
    if (!outcomes[point]) return interrupted(run, outcomes, wanted, arguments, console);
  }
  if (arguments.shard) return finish_shard(arguments, run, outcomes, wanted, started, console);
  std::vector<study::PointOutcome> all;
  for (auto& outcome : outcomes) all.push_back(*std::move(outcome));
  return finish_sweep(arguments, run, std::move(all), started, console);
}

/// One of several ranks. From here on the others wait for this one, so that a fault ends all.
int on_ranks(const SweepArguments& arguments, const SweepRun& run, const Ranks& ranks, Clock::time_point started, Console& console) {
  try {
    if (ranks.rank() == 0) return lead(arguments, run, ranks, started, console);
    const Interrupt interrupt;
    ranks.take_part(run.threads(), [&](std::size_t point) { return run.text_of(point, interrupt.stop()); });
    return kDone;
  } catch (const UserError& error) {
    console.errors(error);
    ranks.abort(kBadInput);
  } catch (const std::exception& error) {
    console.bug(error.what(), "joulecast sweep " + repeated(arguments.scenario));
    ranks.abort(kOurFailure);
  }
}

}  // namespace

int sweep(const SweepArguments& arguments, Console& console) {
  const auto started = Clock::now();
  const bool speaks = rank_of_launcher() == 0;
  try {
    const Ranks ranks;
    check_builds(ranks);
    if (ranks.several() && (arguments.shard || !arguments.merge.empty())) {
      throw UserError({}, "--shard and --merge are for one process, and a launcher started several", "leave them out, or leave the launcher out");
    }
    const int threads = ranks.several() && arguments.threads == 0 ? 1 : threads_or_cores(arguments.threads);
    const SweepRun run = prepared(arguments, threads, ranks);
    if (!ranks.several()) return lead(arguments, run, ranks, started, console);
    return on_ranks(arguments, run, ranks, started, console);
  } catch (const UserError&) {
    if (speaks) throw;
    return kBadInput;
  }
}

}  // namespace joulecast::cli
