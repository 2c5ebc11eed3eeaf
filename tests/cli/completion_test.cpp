// What a shell is told could stand in place of the word that is being written; and bash, driven with the script that it is given.
#include <algorithm>
#include <catch2/catch.hpp>
#include <sstream>

#include "cli/program.hpp"

using namespace joulecast::test;
using Catch::Contains;

namespace {

struct Answer {
  std::string kind;
  std::vector<std::string> words;

  bool has(const std::string& word) const { return std::find(words.begin(), words.end(), word) != words.end(); }
};

Answer complete(std::vector<std::string> words) {
  words.insert(words.begin(), "complete");
  const Ended ended = run_joulecast(words);
  REQUIRE(ended.code == 0);
  CHECK(ended.err.empty());
  std::istringstream lines(ended.out);
  Answer answer;
  std::getline(lines, answer.kind);
  for (std::string line; std::getline(lines, line);) answer.words.push_back(line.substr(0, line.find('\t')));
  return answer;
}

/// What bash offers for a line, its words given as bash breaks them.
std::vector<std::string> bash(const Scratch& scratch, const std::vector<std::string>& words) {
  std::string line = "source <(\"$JOULECAST\" docs bash); COMP_WORDBREAKS=$' \\t\\n\"\\'><=;|&(:'; COMP_WORDS=(\"$JOULECAST\"";
  for (const std::string& word : words) line += " '" + word + "'";
  line += "); COMP_CWORD=" + std::to_string(words.size()) + "; _joulecast; printf '%s\\n' \"${COMPREPLY[@]}\"";
  const Ended ended = run_program({"bash", "--norc", "-c", line}, {scratch.path().string(), {{"JOULECAST", JOULECAST_PROGRAM}}, 0});
  CAPTURE(line, ended.err);
  CHECK(ended.code == 0);
  CHECK(ended.err.empty());
  std::istringstream lines(ended.out);
  std::vector<std::string> all;
  for (std::string each; std::getline(lines, each);) all.push_back(each);
  return all;
}

using Words = std::vector<std::string>;

}  // namespace

TEST_CASE("commands, commands of commands and options are completed") {
  CHECK(complete({"r"}).words == Words{"run", "record", "report"});
  CHECK(complete({"calibrate", "st"}).words == Words{"stages"});
  CHECK(complete({"run", "x.toml", "--se"}).words == Words{"--set", "--seed"});
  CHECK(complete({"run", "x.toml", "--seed", "3", "--se"}).words == Words{"--set"});
  CHECK(complete({"run", "x.toml", "--set", "a=1", "--se"}).words == Words{"--set", "--seed"});
  CHECK(complete({"--v"}).words == Words{"--version"});
  CHECK(complete({"no-such", "--"}).kind == "words");
}

TEST_CASE("values are completed: choices, names that the program knows, files and folders of the right kind") {
  CHECK(complete({"run", "--color", ""}).words == Words{"auto", "always", "never"});
  CHECK(complete({"run", "--color=n"}).words == Words{"--color=never"});
  CHECK(complete({"record", "--plan", "clock"}).words == Words{"clock-sweep"});
  CHECK(complete({"record", "--base", "H100 S"}).has("H100 SXM"));
  CHECK(complete({"profiles", "dgx-h1"}).words == Words{"dgx-h100"});
  CHECK(complete({"import", "vllm"}).words == Words{"vllm", "vllm-run"});
  CHECK(complete({"new", "policy", "mine", "--kind", "re"}).words == Words{"replica"});
  CHECK(complete({"run", ""}).kind == "toml");
  CHECK(complete({"run", "x.toml", "--out", ""}).kind == "folders");
  CHECK(complete({"calibrate", "fit", ""}).kind == "files");
  CHECK(complete({"calibrate", "ops", "--gemm", ""}).kind == "files");
}

TEST_CASE("--set completes the schema's keys, the scenario's own names and a key's values") {
  const std::string file = (source() / "scenarios/quickstart.toml").string();
  CHECK(complete({"run", file, "--set", "po"}).words == Words{"pool.", "policy."});
  CHECK(complete({"run", file, "--set", "pool."}).words == Words{"pool.chat."});
  CHECK(complete({"run", file, "--set", "pool.chat.repl"}).words == Words{"pool.chat.replicas="});
  CHECK(complete({"run", file, "--set", "pool.chat.role=pre"}).words == Words{"pool.chat.role=prefill"});
  CHECK(complete({"run", file, "--set", "router.replica=power"}).words == Words{"router.replica=power_of_two"});
  CHECK(complete({"run", file, "--set", "pool.chat.node=hgx-b2"}).has("pool.chat.node=hgx-b200"));
  CHECK(complete({"run", "no-such.toml", "--set", "router.re"}).has("router.replica="));
  CHECK(complete({"schema", "traffic.sl"}).has("traffic.slo"));
}

TEST_CASE("what is completed for --set is taken by check") {
  const std::string file = (source() / "scenarios/quickstart.toml").string();
  const Answer models = complete({"run", file, "--set", "pool.chat.model="});
  CHECK(models.words.size() > 5);
  const auto found =
      std::find_if(models.words.begin(), models.words.end(), [](const std::string& word) { return word.find("Llama-3.1-8B") != std::string::npos; });
  REQUIRE(found != models.words.end());
  const Ended ended = run_joulecast({"check", file, "--set", *found, "--set", "pool.chat.tensor_parallel_size=1"});
  CAPTURE(*found, ended.err);
  CHECK(ended.code == 0);
}

TEST_CASE("bash completes with the script that the program gives it") {
  const Scratch scratch;
  scratch.write("mine.toml", read_text(source() / "scenarios/quickstart.toml"));
  scratch.write("mine.csv", "");
  CHECK(bash(scratch, {"che"}) == Words{"check"});
  CHECK(bash(scratch, {"run", "mi"}) == Words{"mine.toml"});
  CHECK(bash(scratch, {"run", "mine.toml", "--set", "pool.ch"}) == Words{"pool.chat."});
  CHECK(bash(scratch, {"run", "mine.toml", "--set", "router.replica", "=", "power"}) == Words{"power_of_two"});
  CHECK(bash(scratch, {"run", "mine.toml", "--set", "pool.chat.role", "="}).size() > 3);
  CHECK(bash(scratch, {"record", "--base", "H100\\ S"}) == Words{"H100\\ SXM"});
}
