// The README's commands work as they stand: every line of its fenced `sh` blocks that starts the program is run, from the source tree's root as a
// reader would, with the results in a scratch folder. Lines of other programs (tools/run, tools/test, git) are checked to name a file that exists.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <sstream>

#include "cli/program.hpp"

using namespace joulecast::test;

namespace {

/// Commands of the fenced blocks marked `sh`; a line that ends in a backslash goes on in the next, a leading "$ " is a prompt.
std::vector<std::string> commands(const std::string& markdown) {
  std::vector<std::string> found;
  std::istringstream lines(markdown);
  std::string line, command;
  bool inside = false;
  while (std::getline(lines, line)) {
    if (line.starts_with("```")) {
      inside = !inside && line == "```sh";
      continue;
    }
    if (!inside || line.empty() || line.starts_with("#")) continue;
    if (line.starts_with("$ ")) line.erase(0, 2);
    const bool goes_on = line.ends_with("\\");
    command += goes_on ? line.substr(0, line.size() - 1) : line;
    if (goes_on) continue;
    found.push_back(command);
    command.clear();
  }
  return found;
}

std::string first_word(const std::string& command) { return command.substr(0, command.find(' ')); }

bool starts_program(const std::string& word) { return word == "joulecast" || (word.starts_with("build/") && word.ends_with("/joulecast")); }

}  // namespace

TEST_CASE("the fenced sh blocks are read as a shell would") {
  const std::vector<std::string> expected = {"tools/run", "joulecast check a.toml --set x=1", "joulecast profiles"};
  CHECK(commands("text\n```sh\n# why\n$ tools/run\njoulecast check a.toml \\\n--set x=1\n```\n```toml\njoulecast = 1\n```\n```sh\njoulecast "
                 "profiles\n```\n") == expected);
}

TEST_CASE("every command of the README works") {
  const std::string readme = read_text(source() / "README.md");
  const std::vector<std::string> all = commands(readme);
  CHECK_FALSE(all.empty());
  const Scratch scratch;
  // A reader stands in the source tree; results must not land there, so the scratch folder shows the tree through links.
  for (const char* folder : {"scenarios", "hardware_profiles", "workloads", "tools", "results", "docs"}) {
    if (std::filesystem::exists(source() / folder)) std::filesystem::create_directory_symlink(source() / folder, scratch.path() / folder);
  }
  for (const std::string& command : all) {
    CAPTURE(command);
    const std::string word = first_word(command);
    if (!starts_program(word)) {
      if (word.find('/') != std::string::npos) CHECK(std::filesystem::exists(source() / word));
      continue;
    }
    const bool needs_data = command.find("JOULECAST_DATA") != std::string::npos || command.find("--data") != std::string::npos ||
                            command.find("Azure") != std::string::npos;
    if (needs_data && std::getenv("JOULECAST_DATA") == nullptr) {
      WARN("skipped, JOULECAST_DATA names no folder of measured data: " << command);
      continue;
    }
    const std::string line = JOULECAST_PROGRAM + command.substr(word.size());
    const Ended ended = run_program({"sh", "-c", line}, {scratch.path().string(), {}, 0});
    CAPTURE(ended.err);
    CHECK(ended.code == 0);
  }
}

TEST_CASE("the README's table is what its command prints") {
  std::istringstream lines(read_text(source() / "README.md"));
  std::string line;
  while (std::getline(lines, line) && !line.starts_with("$ joulecast run")) continue;
  REQUIRE(line == "$ joulecast run scenarios/quickstart.toml");
  const Scratch scratch;
  const Ended ended = run_program({"sh", "-c", JOULECAST_PROGRAM " run '" + (source() / "scenarios/quickstart.toml").string() + "'"},
                                  {scratch.path().string(), {}, 0});
  int shown = 0;
  while (std::getline(lines, line) && line != "```") {
    CHECK_THAT(ended.out, Catch::Contains(line));
    ++shown;
  }
  CHECK(shown > 20);
}
