// `mpirun joulecast sweep`: the same bytes for any number of ranks, a rank that is killed, ranks that are not the same program.
#include <signal.h>

#include <catch2/catch.hpp>
#include <chrono>
#include <nlohmann/json.hpp>
#include <thread>

#include "cli/background.hpp"
#include "cli/sweep_support.hpp"

using namespace joulecast::test;
using Catch::Contains;
namespace fs = std::filesystem;

namespace {

bool has_mpi() {
#ifdef JOULECAST_TEST_MPI
  if (run_program({"sh", "-c", "command -v mpirun"}).code == 0) return true;
  WARN("skipped: there is no mpirun");
#else
  WARN("skipped: this build has no MPI (libopenmpi-dev)");
#endif
  return false;
}

std::vector<std::string> mpirun(const std::string& ranks) {
  return {"mpirun", "--allow-run-as-root", "--oversubscribe", "--mca", "btl_vader_single_copy_mechanism", "none", "-n", ranks};
}

Ended on_ranks(const Scratch& scratch, const std::string& ranks, const std::vector<std::string>& more) {
  return run_program(joined(mpirun(ranks), joined({JOULECAST_PROGRAM, "sweep", small_sweep()}, more)), {scratch.path().string(), {}, 0});
}

}  // namespace

TEST_CASE("a sweep over ranks is the same bytes as one over threads") {
  if (!has_mpi()) return;
  const Scratch scratch;
  REQUIRE(sweep_in(scratch, small_sweep(), joined(kShort, {"--out", "threads"})).code == 0);
  for (const std::string ranks : {"1", "2", "4"}) {
    const Ended ended = on_ranks(scratch, ranks, joined(kShort, {"--out", "ranks-" + ranks}));
    CAPTURE(ranks, ended.err);
    REQUIRE(ended.code == 0);
    CHECK_THAT(ended.out, Contains("Pareto front"));
    CHECK(ended.out.find("Pareto front") == ended.out.rfind("Pareto front"));  // one rank speaks
    CHECK(differing(scratch.path() / "threads", scratch.path() / ("ranks-" + ranks)).empty());
  }
  CHECK_THAT(on_ranks(scratch, "2", joined(kShort, {"--out", "ranks-2"})).err, Contains("already there"));
  const Ended bad = on_ranks(scratch, "2", {"--set", "pool.chat.replicas=4"});
  CHECK(bad.code == 2);
  CHECK_THAT(bad.err, Contains("conflicts with its sweep"));
}

TEST_CASE("a point that fails on another rank is reported and loses nothing") {
  if (!has_mpi()) return;
  const Scratch scratch;
  const Ended ended = on_ranks(scratch, "2", joined(kShort, {"--set", "sweep.pool.chat.tensor_parallel_size=[1,3]", "--out", "some"}));
  CAPTURE(ended.err);
  CHECK(ended.code == 0);
  CHECK_THAT(ended.out, Contains("9 of 18 points failed"));
}

TEST_CASE("a rank killed on the way ends the sweep, and the same command goes on to the same bytes") {
  if (!has_mpi()) return;
  const Scratch scratch;
  {
    Background running(joined(mpirun("3"), joined({JOULECAST_PROGRAM, "sweep", small_sweep(), "--out", "cut"}, kLong)), scratch.path().string());
    while (kept_points(scratch.path() / "cut.points") < 1 && !running.ended()) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    const auto ranks = running.children();
    REQUIRE(ranks.size() == 3);
    kill(ranks.back(), SIGKILL);
    CHECK(running.code() != 0);
  }
  CHECK_FALSE(fs::exists(scratch.path() / "cut"));
  const std::size_t kept = kept_points(scratch.path() / "cut.points");
  const Ended on = on_ranks(scratch, "2", joined(kLong, {"--out", "cut"}));
  CAPTURE(on.err);
  REQUIRE(on.code == 0);
  CHECK_THAT(on.err, Contains(std::to_string(kept) + " of 9 points are kept from before"));
  REQUIRE(sweep_in(scratch, small_sweep(), joined(kLong, {"--out", "whole"})).code == 0);
  CHECK(differing(scratch.path() / "whole", scratch.path() / "cut").empty());
}

TEST_CASE("ranks of unequal builds are named, and nothing runs") {
  if (!has_mpi()) return;
  const Scratch scratch;
  // The same program but for the commit that it says it was built from.
  const std::string version = run_joulecast({"--version"}).out;
  const std::size_t open = version.find('(');
  const std::string commit = version.substr(open + 1, version.find(')') - open - 1);
  std::string program = read_text(JOULECAST_PROGRAM);
  std::size_t changed = 0;
  for (std::size_t at = program.find(commit); at != std::string::npos; at = program.find(commit, at + 1), ++changed) program[at] = 'z';
  REQUIRE(changed > 0);
  const std::string other = scratch.write("other", program);
  fs::permissions(other, fs::perms::owner_all);
  auto words = joined(mpirun("1"), joined({JOULECAST_PROGRAM, "sweep", small_sweep(), "--out", "unequal"}, kShort));
  words = joined(words, joined({":", "-n", "1", other, "sweep", small_sweep(), "--out", "unequal"}, kShort));
  const Ended ended = run_program(words, {scratch.path().string(), {}, 0});
  CHECK(ended.code == 2);
  CHECK_THAT(ended.err, Contains("rank 1 runs another build than rank 0") && Contains("z" + commit.substr(1)));
  CHECK_FALSE(fs::exists(scratch.path() / "unequal"));
}

TEST_CASE("without MPI a launcher's ranks are told how to get it") {
#ifdef JOULECAST_TEST_MPI
  WARN("skipped: this build has MPI");
#else
  const Ended ended = run_joulecast({"sweep", small_sweep()}, {"", {{"OMPI_COMM_WORLD_SIZE", "2"}, {"OMPI_COMM_WORLD_RANK", "0"}}, 0});
  CHECK(ended.code == 2);
  CHECK_THAT(ended.err, Contains("built without MPI") && Contains("libopenmpi-dev") && Contains("-DJOULECAST_MPI=ON"));
#endif
}
