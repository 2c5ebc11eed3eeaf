// The commands of docs/calibration.md work as they stand, in their order, from the source tree's root.
#include <catch2/catch.hpp>
#include <sstream>

#include "cli/program.hpp"

using namespace joulecast::test;

TEST_CASE("every command of docs/calibration.md works, and the profile it makes holds what was put into its log") {
  const Scratch scratch;
  for (const char* folder : {"scenarios", "hardware_profiles", "workloads", "docs"}) {
    std::filesystem::create_directory_symlink(source() / folder, scratch.path() / folder);
  }
  std::istringstream lines(read_text(source() / "docs/calibration.md"));
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
  CHECK(commands == 3);
  const std::string profile = read_text(scratch.path() / "my-h100/gpu.toml");
  CHECK_THAT(profile, Catch::Contains("extends = ") && Catch::Contains("bare = { value = \"74.") && Catch::Contains("context = { value = \"126.") &&
                          Catch::Contains("[power_split]") && Catch::Contains("[clock_form]") && Catch::Contains("clock-sweep.csv (sha256 "));
}
