// What a run leaves behind: tables on stdout, messages on stderr, a folder of files, exit codes.
#include <algorithm>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "cli/program.hpp"

using namespace joulecast::test;
using Catch::Contains;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

const std::string kQuick = (source() / "scenarios/quickstart.toml").string();
const std::vector<std::string> kShort = {"--set", "time.duration='20 s'", "--set", "time.warmup='2 s'"};

std::vector<std::string> words(std::vector<std::string> first, const std::vector<std::string>& more = {}) {
  first.insert(first.end(), kShort.begin(), kShort.end());
  first.insert(first.end(), more.begin(), more.end());
  return first;
}

Ended in(const Scratch& scratch, const std::vector<std::string>& arguments, int interrupt_after_ms = 0) {
  return run_joulecast(arguments, {scratch.path().string(), {}, interrupt_after_ms});
}

fs::path only_run(const Scratch& scratch) {
  std::vector<fs::path> runs;
  for (const auto& entry : fs::directory_iterator(scratch.path() / "runs")) runs.push_back(entry.path());
  REQUIRE(runs.size() == 1);
  return runs.front();
}

}  // namespace

TEST_CASE("a run prints its tables, leaves its files and says where they are and what to do next") {
  const Scratch scratch;
  const Ended ended = in(scratch, words({"run", kQuick}));
  CAPTURE(ended.err);
  REQUIRE(ended.code == 0);
  for (const std::string text : {"GPU", "chassis AC", "facility", "chat", "TTFT", "TPOT", "results  runs/quickstart-", "next     joulecast run "})
    CHECK_THAT(ended.out, Contains(text));
  CHECK_THAT(ended.out, !Contains("\x1b["));
  const fs::path folder = only_run(scratch);
  CHECK_THAT(folder.filename().string(), Catch::Matches("quickstart-[0-9a-f]{16}"));
  for (const std::string file : {"run.json", "scenario.resolved.toml", "summary.json", "summary.csv", "results.h5"}) CHECK(fs::exists(folder / file));
  CHECK_FALSE(fs::exists(folder / "requests.csv"));
  const json summary = json::parse(read_text(folder / "summary.json"));
  CHECK(summary["schema"] == 1);
  CHECK(summary["energy_joules"]["facility"].get<double>() > summary["energy_joules"]["gpu"].get<double>());
  CHECK(summary["traffic"]["chat"]["arrived"].get<int>() > 0);
  const json run = json::parse(read_text(folder / "run.json"));
  CHECK(run["threads"].get<int>() >= 1);
  CHECK(run["events"].get<int>() > 0);
}

TEST_CASE("the same input again is already there; another seed is another run; --force runs again") {
  const Scratch scratch;
  REQUIRE(in(scratch, words({"run", kQuick})).code == 0);
  const fs::path folder = only_run(scratch);
  const auto written = fs::last_write_time(folder / "summary.json");
  const Ended again = in(scratch, words({"run", kQuick}));
  CHECK(again.code == 0);
  CHECK_THAT(again.err, Contains("already there") && Contains(folder.filename().string()));
  CHECK_THAT(again.out, Contains("TTFT"));
  CHECK(fs::last_write_time(folder / "summary.json") == written);
  const std::string before = read_text(folder / "summary.json");
  CHECK(in(scratch, words({"run", kQuick, "--force"})).code == 0);
  CHECK(fs::last_write_time(folder / "summary.json") != written);
  CHECK(read_text(folder / "summary.json") == before);
  CHECK(in(scratch, words({"run", kQuick, "--seed", "9"})).code == 0);
  CHECK(std::distance(fs::directory_iterator(scratch.path() / "runs"), fs::directory_iterator()) == 2);
}

TEST_CASE("all files but run.json are the same bytes for any number of threads and in step mode") {
  const Scratch scratch;
  REQUIRE(in(scratch, words({"run", kQuick, "--out", "one", "--requests", "-j", "1"})).code == 0);
  REQUIRE(in(scratch, words({"run", kQuick, "--out", "two", "--requests", "-j", "2"})).code == 0);
  REQUIRE(in(scratch, words({"run", kQuick, "--out", "steps", "--requests", "--step-mode", "--fingerprint", "steps.txt"})).code == 0);
  for (const auto& entry : fs::directory_iterator(scratch.path() / "one")) {
    const std::string name = entry.path().filename().string();
    if (name == "run.json") continue;
    CAPTURE(name);
    const std::string text = read_text(entry.path());
    CHECK_FALSE(text.empty());
    CHECK((text == read_text(scratch.path() / "two" / name)));
    CHECK((text == read_text(scratch.path() / "steps" / name)));
  }
  CHECK(fs::exists(scratch.path() / "one/requests.csv"));
  CHECK_FALSE(read_text(scratch.path() / "steps.txt").empty());
  const auto events = [&](const char* run) { return json::parse(read_text(scratch.path() / run / "run.json"))["events"].get<std::int64_t>(); };
  CHECK(events("steps") > events("one"));
  CHECK(events("one") == events("two"));
}

TEST_CASE("--json puts the summary alone on stdout") {
  const Scratch scratch;
  const Ended ended = in(scratch, words({"run", kQuick, "--json"}));
  REQUIRE(ended.code == 0);
  CHECK(ended.out == read_text(only_run(scratch) / "summary.json"));
  CHECK_THAT(ended.err, Contains("results: runs/"));
  const Ended again = in(scratch, words({"run", kQuick, "--json"}));
  CHECK(again.out == ended.out);
  const json check = json::parse(in(scratch, {"check", kQuick, "--json"}).out);
  CHECK(check["pool"]["chat"]["gpus"] == 8);
  CHECK(check["offered_over_sustainable"].get<double>() > 0);
}

TEST_CASE("--out refuses a folder that holds something else, and another run's without --force") {
  const Scratch scratch;
  fs::create_directory(scratch.path() / "mine");
  scratch.write("mine/thesis.txt", "important");
  for (const bool force : {false, true}) {
    const Ended ended =
        in(scratch, words({"run", kQuick, "--out", "mine"}, force ? std::vector<std::string>{"--force"} : std::vector<std::string>{}));
    CHECK(ended.code == 2);
    CHECK_THAT(ended.err, Contains("mine") && Contains("--out"));
    CHECK(read_text(scratch.path() / "mine/thesis.txt") == "important");
  }
  REQUIRE(in(scratch, words({"run", kQuick, "--out", "run"})).code == 0);
  CHECK_THAT(in(scratch, words({"run", kQuick, "--out", "run"})).err, Contains("already there"));
  CHECK(in(scratch, words({"run", kQuick, "--out", "run", "--seed", "2"})).code == 2);
  CHECK(in(scratch, words({"run", kQuick, "--out", "run", "--seed", "2", "--force"})).code == 0);
}

TEST_CASE("an SLO that is required and missed exits 3, with the results there, and again when they are already there") {
  const Scratch scratch;
  const std::vector<std::string> strict = words({"run", kQuick, "--set", "traffic.chat.slo={ttft='1 us', required=true}"});
  for (int time = 0; time < 2; ++time) {
    const Ended ended = in(scratch, strict);
    CAPTURE(ended.err);
    CHECK(ended.code == 3);
    CHECK_THAT(ended.err, Contains("chat") && Contains("required"));
  }
  CHECK(fs::exists(only_run(scratch) / "summary.json"));
}

TEST_CASE("Ctrl-C ends a run with what it has, marked partial, exit 130; the next run starts anew") {
  const Scratch scratch;
  const std::vector<std::string> endless = {"run", kQuick, "--set", "time.duration='3000 h'", "--set", "time.bin='1 h'"};
  const Ended ended = in(scratch, endless, 1500);
  CAPTURE(ended.err);
  CHECK(ended.code == 130);
  CHECK_THAT(ended.err, Contains("partial"));
  CHECK(json::parse(read_text(only_run(scratch) / "run.json"))["partial"] == true);
  CHECK(in(scratch, endless, 1500).code == 130);
}

TEST_CASE("a run without a place for its results ends before it begins") {
  const Scratch scratch;
  scratch.write("file", "");
  const Ended ended = in(scratch, words({"run", kQuick, "--out", "file"}));
  CHECK(ended.code == 2);
  CHECK_THAT(ended.err, Contains("file"));
}

TEST_CASE("check says in under a second what would run, and writes nothing") {
  const Scratch scratch;
  const Ended ended = in(scratch, {"check", kQuick});
  CAPTURE(ended.err);
  CHECK(ended.code == 0);
  for (const std::string text : {"8 x", "KV blocks", "offered load"}) CHECK_THAT(ended.out, Contains(text));
  CHECK_THAT(ended.err, Contains("Next: joulecast run "));
  CHECK(scratch.names().empty());
}

TEST_CASE("schema, profiles and policies list what there is, as text and as JSON") {
  CHECK_THAT(run_joulecast({"schema"}).out, Contains("[pool.NAME]") && Contains("replicas"));
  CHECK_THAT(run_joulecast({"schema", "pool.sm_clock"}).out, Contains("sm_clock"));
  CHECK_THAT(run_joulecast({"schema", "site.price"}).out,
             Contains("money per energy, or a series") && Contains("[site.price]") && Contains("sequence"));
  CHECK_THAT(run_joulecast({"schema", "traffic.requests.zero_tokens"}).out, Contains("no output tokens"));
  CHECK(json::parse(run_joulecast({"schema", "--json"}).out)["keys"].size() > 5);
  CHECK_THAT(run_joulecast({"profiles"}).out, Contains("H100") && Contains("dgx-h100") && Contains("Llama-3.1-8B"));
  const json gpu = json::parse(run_joulecast({"profiles", "RTX 4090", "--json"}).out);
  CHECK(gpu["figures"].size() > 10);
  for (const json& figure : gpu["figures"]) CHECK_FALSE(figure["source"].get<std::string>().empty());
  CHECK_THAT(run_joulecast({"policies"}).out, Contains("round_robin") && Contains("least_outstanding") && Contains("power_of_two"));
  CHECK(json::parse(run_joulecast({"policies", "--json"}).out)["policies"].size() >= 3);
}
