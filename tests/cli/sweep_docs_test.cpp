// The commands of docs/sweeps.md work as they stand, and so does the job array of docs/examples with two shards.
#include <catch2/catch.hpp>
#include <sstream>

#include "cli/sweep_support.hpp"

using namespace joulecast::test;
namespace fs = std::filesystem;

TEST_CASE("every command of docs/sweeps.md works, and the merged shards are the whole sweep") {
  const Scratch scratch;
  for (const char* folder : {"scenarios", "hardware_profiles", "workloads"}) fs::create_directory_symlink(source() / folder, scratch.path() / folder);
  std::istringstream lines(read_text(source() / "docs/sweeps.md"));
  std::string line;
  bool inside = false;
  int commands = 0;
  while (std::getline(lines, line)) {
    if (line.starts_with("```")) {
      inside = line == "```sh";
      continue;
    }
    if (!inside || !line.starts_with("joulecast ")) continue;
    CAPTURE(line);
    const Ended ended = run_program({"sh", "-c", JOULECAST_PROGRAM + line.substr(9)}, {scratch.path().string(), {}, 0});
    CAPTURE(ended.err);
    CHECK(ended.code == 0);
    ++commands;
  }
  CHECK(commands == 5);
  for (const auto& entry : fs::directory_iterator(scratch.path() / "runs")) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("sweep-load-and-cap-")) CHECK(differing(entry.path(), scratch.path() / "runs/whole").empty());
  }
}

TEST_CASE("the Slurm example runs its shards, and the command that it prints puts them together") {
  const Scratch scratch;
  fs::create_directory(scratch.path() / "bin");
  fs::create_symlink(JOULECAST_PROGRAM, scratch.path() / "bin/joulecast");
  const std::string path = (scratch.path() / "bin").string() + ":/usr/bin:/bin";
  const std::string script = (source() / "docs/examples/sweep.slurm").string();
  REQUIRE(run_program({"bash", "-n", script}).code == 0);
  const std::vector<std::string> words = joined({"bash", script, small_sweep()}, {"--set", "time.duration=8s"});
  std::string merge;
  for (const std::string task : {"1", "2"}) {
    const Ended shard = run_program(
        words,
        {scratch.path().string(),
         {{"PATH", path}, {"SLURM_ARRAY_TASK_ID", task}, {"SLURM_ARRAY_TASK_MIN", "1"}, {"SLURM_ARRAY_TASK_MAX", "2"}, {"SLURM_CPUS_PER_TASK", "1"}},
         0});
    CAPTURE(shard.err);
    REQUIRE(shard.code == 0);
    merge = shard.out.substr(shard.out.rfind("joulecast sweep"));
  }
  const Ended merged = run_program({"bash", "-c", merge}, {scratch.path().string(), {{"PATH", path}}, 0});
  CAPTURE(merge, merged.err);
  CHECK(merged.code == 0);
  CHECK_FALSE(read_text(scratch.path() / "runs/sweep-load-and-cap.sweep/sweep.csv").empty());
  CHECK(run_program({"bash", script, small_sweep()}, {scratch.path().string(), {{"PATH", path}}, 0}).code != 0);
}
