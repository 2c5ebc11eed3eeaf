// --json: every command that prints results has it, and then standard output is one JSON value and nothing else.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "cli/program.hpp"

using namespace joulecast::test;
using Catch::Contains;

namespace {

/// The commands of a help text, with those below them.
std::vector<std::vector<std::string>> commands(const std::vector<std::string>& path = {}) {
  std::vector<std::string> call = path;
  call.emplace_back("--help");
  const std::string help = run_joulecast(call).out;
  const std::size_t list = help.find("Subcommands:\n");
  if (list == std::string::npos) return {path};
  std::vector<std::vector<std::string>> all;
  for (std::size_t at = list + 13; help.compare(at, 2, "  ") == 0; at = help.find('\n', at) + 1) {
    if (help[at + 2] == ' ') continue;  // a text that goes on
    std::vector<std::string> below = path;
    below.push_back(help.substr(at + 2, help.find(' ', at + 2) - at - 2));
    for (auto& each : commands(below)) all.push_back(std::move(each));
  }
  return all;
}

}  // namespace

TEST_CASE("every command that prints results takes --json") {
  const auto all = commands();
  CHECK(all.size() > 15);
  for (auto words : all) {
    // Manuals and completions have forms of their own.
    if (words.front() == "docs") continue;
    CAPTURE(words);
    words.emplace_back("--help");
    CHECK_THAT(run_joulecast(words).out, Contains("--json"));
  }
}

TEST_CASE("with --json standard output is one JSON value, whatever is said beside it") {
  const Scratch scratch;
  std::filesystem::create_directories(scratch.path() / "sim/policy/routing");
  std::filesystem::create_directories(scratch.path() / "tests/unit/policy");
  std::filesystem::copy_file(source() / "sim/policy/registry.cpp", scratch.path() / "sim/policy/registry.cpp");
  const auto scenario = [](const std::string& name) { return (source() / "scenarios" / name).string(); };
  const std::string quick = scenario("quickstart.toml");
  const std::vector<std::vector<std::string>> calls = {
      {"run", quick, "--set", "time.duration=\"3 min\"", "--out", "r"},
      {"run", quick, "--set", "time.duration=\"3 min\"", "--out", "r"},  // already there
      {"check", quick},
      {"schema"},
      {"schema", "pool"},
      {"profiles"},
      {"profiles", "--pairs"},
      {"profiles", "H100 SXM"},
      {"profiles", "dgx-h100"},
      {"policies"},
      {"validate", "--only", "engine"},
      {"compare", scenario("compare-routers.toml"), "--set", "compare.replications=2", "--out", "c"},
      {"frontier", scenario("training-perseus-gpt3-1.3b-a100.toml"), "--points", "3"},
      {"import", "vllm", "vllm serve meta-llama/Llama-3.1-8B-Instruct -tp 1", "--node", "dgx-h100"},
      {"new", "policy", "mine", "--kind", "replica"},
      {"new", "policy", "mine", "--kind", "replica"},
      {"record", "--plan", "clock-sweep"},
      {"record", "--print-nvidia-smi"},
      {"calibrate", "inspect", (source() / "docs/examples/clock-sweep.csv").string()},
      {"calibrate", "stages", (source() / "docs/examples/stages.csv").string()},
  };
  for (auto words : calls) {
    words.emplace_back("--json");
    const Ended ended = run_joulecast(words, {scratch.path().string(), {}, 0});
    CAPTURE(words, ended.out.substr(0, 300), ended.err);
    CHECK(ended.code == 0);
    CHECK(nlohmann::json::accept(ended.out));
  }
}

TEST_CASE("under --json faults stay text on standard error, with the same exit code") {
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{"run", "no-such.toml"}, {"profiles", "no-such"}, {"schema", "no-such"}, {"import", "hf", "no-such"}}) {
    std::vector<std::string> with = words;
    with.emplace_back("--json");
    const Ended plain = run_joulecast(words), json = run_joulecast(with);
    CAPTURE(words);
    CHECK(json.code == 2);
    CHECK(json.out.empty());
    CHECK(json.err == plain.err);
  }
}
