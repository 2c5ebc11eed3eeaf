#include "cli/sweep_syntax.hpp"

#include "cli/options_impl.hpp"

namespace joulecast::cli {
namespace {

using detail::add_text;
using detail::usage_error;
using detail::whole_number;

constexpr const char* kExamples = R"(Examples:
  joulecast sweep scenarios/sweep-clock-and-replicas.toml
  joulecast sweep mine.toml --set 'sweep.pool.chat.replicas=[2,4,8]' --json | jq '.point[] | select(.on_front)'
  mpirun -n 64 joulecast sweep mine.toml
  joulecast sweep mine.toml --shard 3/16        # one of 16 jobs of an array; then, once:
  joulecast sweep mine.toml --merge runs/*.shard-*

Runs the scenario at every point of [sweep] and marks the Pareto front of its objectives. `joulecast schema sweep` shows the keys.
A point that fails is reported and loses nothing. Finished points are kept beside the results: the same command again goes on where it was ended.
The files are the same bytes for any number of threads, ranks and shards. Exit codes: 2 every point failed, 3 a required SLO holds at no point.)";

ShardArgument shard_of(const std::string& text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string::npos) usage_error("--shard \"" + text + "\" is not of the form i/n", "write --shard 3/16: the third of 16 shards");
  const auto of = whole_number<std::size_t>("--shard, behind the slash,", text.substr(slash + 1), 1, 100'000);
  return {whole_number<std::size_t>("--shard, before the slash,", text.substr(0, slash), 1, of), of};
}

}  // namespace

SweepSyntax::SweepSyntax(CLI::App& app, detail::Common& common)
    : common_(common),
      sweep_(detail::add_command(app, "sweep", "Runs a scenario at every point of [sweep]: what each costs, and the Pareto front", kExamples)) {
  sweep_->add_option("SCENARIO", arguments_.scenario.path, "The scenario file (TOML)")->required()->option_text(" ");
  sweep_->add_option("--set", arguments_.scenario.sets, "Changes one key; may be given again")
      ->option_text("KEY=VALUE")
      ->allow_extra_args(false)
      ->take_all();
  add_text(sweep_, "--seed", seed_, "N", "Seed of the random streams, instead of the file's");
  add_text(sweep_, "--out", arguments_.out, "DIR", "Results' folder (default: runs/NAME-HASH)");
  sweep_->add_flag("--force", arguments_.force, "Replaces results that are there and runs kept points again");
  add_text(sweep_, "-j,--threads", threads_, "N", "Points at once (default: the cores; of each rank 1)");
  add_text(sweep_, "--shard", shard_, "I/N", "Runs one of N parts of the points, for job arrays");
  sweep_->add_option("--merge", arguments_.merge, "Puts shards together instead of running")->option_text("DIR..");
  detail::add_common(sweep_, common);
}

std::optional<SweepArguments> SweepSyntax::chosen() const {
  if (!sweep_->parsed()) return std::nullopt;
  SweepArguments chosen = arguments_;
  chosen.json = common_.json;
  if (!seed_.empty()) chosen.scenario.seed = whole_number<std::uint64_t>("--seed", seed_, 0, UINT64_MAX);
  if (!threads_.empty()) chosen.threads = whole_number<int>("-j", threads_, 1, 1024);
  if (!shard_.empty()) chosen.shard = shard_of(shard_);
  if (chosen.shard && !chosen.merge.empty()) usage_error("--shard runs points and --merge puts them together", "give one of the two");
  return chosen;
}

}  // namespace joulecast::cli
