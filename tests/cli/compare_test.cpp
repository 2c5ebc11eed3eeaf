// `joulecast compare`: its table, its files, the same bytes for any -j, exit codes.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "cli/program.hpp"

using namespace joulecast::test;
using Catch::Contains;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

const std::string kRouters = (source() / "scenarios/compare-routers.toml").string();
const std::string kClocks = (source() / "scenarios/compare-clocks-at-slo.toml").string();
const std::vector<std::string> kShort = {"--set", "time.duration='30 s'", "--set", "time.warmup='2 s'", "--set", "compare.replications=3"};

Ended in(const Scratch& scratch, const std::string& file, const std::vector<std::string>& more, int interrupt_after_ms = 0) {
  std::vector<std::string> words = {"compare", file};
  words.insert(words.end(), more.begin(), more.end());
  return run_joulecast(words, {scratch.path().string(), {}, interrupt_after_ms});
}

std::vector<std::string> with(std::vector<std::string> words, const std::vector<std::string>& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

}  // namespace

TEST_CASE("a comparison prints what differs, leaves its files, and is the same bytes for any number of runs at once") {
  const Scratch scratch;
  const Ended one = in(scratch, kRouters, with(kShort, {"--out", "one", "-j", "1"}));
  CAPTURE(one.err);
  REQUIRE(one.code == 0);
  CHECK_THAT(one.out, Contains("5 arms on the same requests, energy at facility") && Contains("minus round-robin") && Contains("±") &&
                          Contains("results  one"));
  REQUIRE(in(scratch, kRouters, with(kShort, {"--out", "two", "-j", "3"})).code == 0);
  for (const std::string file : {"compare.json", "compare.csv", "report.txt", "results.h5", "arms/random/summary.json", "arms/random/summary.csv",
                                 "arms/random/scenario.resolved.toml"}) {
    CAPTURE(file);
    REQUIRE_FALSE(read_text(scratch.path() / "one" / file).empty());
    CHECK(read_text(scratch.path() / "one" / file) == read_text(scratch.path() / "two" / file));
  }
  const json compared = json::parse(read_text(scratch.path() / "one/compare.json"));
  CHECK(compared["schema"] == 1);
  CHECK(compared["same_requests"] == true);
  CHECK(compared["seeds"].size() == 3);
  const json& arm = compared["arm"]["random"];
  const std::string key = "energy_per_output_token_joules.facility";
  CHECK(arm["replications"][key].size() == 3);
  CHECK(arm["difference"][key]["interval"].size() == 2);
  CHECK(compared["arm"]["round-robin"]["difference"][key]["verdict"] == "same");
  // The arm's resolved scenario runs by itself to the arm's summary.
  const Ended alone = run_joulecast({"run", "one/arms/random/scenario.resolved.toml", "--out", "alone"}, {scratch.path().string(), {}, 0});
  REQUIRE(alone.code == 0);
  CHECK(read_text(scratch.path() / "alone/summary.json") == read_text(scratch.path() / "one/arms/random/summary.json"));
}

TEST_CASE("check reads the arms, too") {
  CHECK_THAT(run_joulecast({"check", kRouters}).err, Contains("Next: joulecast compare"));
  const Ended bad = run_joulecast({"check", kRouters, "--set", "compare.arm.bad.pool.chat.replicas=0"});
  CHECK(bad.code == 2);
  CHECK_THAT(bad.err, Contains("replicas"));
}

TEST_CASE("the same comparison again is already there; another folder's results are left alone") {
  const Scratch scratch;
  REQUIRE(in(scratch, kRouters, with(kShort, {"--json"})).code == 0);
  const Ended again = in(scratch, kRouters, with(kShort, {"--json"}));
  CHECK(again.code == 0);
  CHECK_THAT(again.err, Contains("already there") && Contains("compare-routers-"));
  CHECK(json::parse(again.out)["reference"] == "round-robin");
  REQUIRE(in(scratch, kRouters, with(kShort, {"--out", "kept"})).code == 0);
  const Ended refused = in(scratch, kRouters, with(kShort, {"--out", "kept", "--seed", "5"}));
  CHECK(refused.code == 2);
  CHECK_THAT(refused.err, Contains("holds the results of another run"));
}

TEST_CASE("an SLO that no load holds exits with 3 and says by how much; the other arms are there") {
  const Scratch scratch;
  const Ended ended =
      in(scratch, kClocks,
         {"--set", "time.duration='20 s'", "--set", "time.warmup='1 s'", "--set", "compare.arm.never.traffic.chat.slo.ttft='1 ms'", "--out", "slo"});
  CAPTURE(ended.err);
  CHECK(ended.code == 3);
  CHECK_THAT(ended.err, Contains("arm \"never\": no load holds its SLO"));
  CHECK_THAT(ended.out, Contains("never: at no load; at the least, traffic \"chat\" has") && Contains("95.00 % are required"));
  const json compared = json::parse(read_text(scratch.path() / "slo/compare.json"));
  CHECK(compared["arm"]["auto"]["load"]["requests_per_s"].get<double>() > 1);
  CHECK(compared["arm"]["never"]["load"]["held"] == false);
  CHECK(in(scratch, kClocks,
           {"--set", "time.duration='20 s'", "--set", "time.warmup='1 s'", "--set", "compare.arm.never.traffic.chat.slo.ttft='1 ms'", "--out", "slo"})
            .code == 3);
}

TEST_CASE("an SLO that holds in the base run but not in every replication says in how many; a required one names its arm") {
  const Scratch scratch;
  // Hardly a request comes at the least loads, and its first prompt decides: those of seed 1 are short, of half of the replications long.
  const std::vector<std::string> few = {"--set", "time.duration='20 s'", "--set", "time.warmup='0 s'"};
  const Ended partly =
      in(scratch, kClocks,
         with(few, {"--set", "compare.replications=4", "--set", "traffic.chat.slo={ttft='180 ms',attainment='100 %'}", "--out", "partly"}));
  CAPTURE(partly.err, partly.out);
  CHECK(partly.code == 3);
  CHECK_THAT(partly.err, Contains("arm \"auto\": no load holds its SLO in 2 of 4 replications, so its figures are not known"));
  CHECK_THAT(partly.out, Contains("times the scenario's load") && Contains("at no load in 2 of 4 replications"));
  const Ended required = in(
      scratch, kClocks, with(few, {"--set", "compare.hold='traffic'", "--set", "traffic.chat.slo={ttft='1 ms',required=true}", "--out", "required"}));
  CHECK(required.code == 3);
  CHECK_THAT(required.err, Contains("arm \"auto\": traffic \"chat\": 0.0 % of the requests were within the SLO") &&
                               Contains("arm \"decode-1110\": traffic \"chat\""));
}

TEST_CASE("Ctrl-C leaves whole replications, marked, or nothing, and exits with 130") {
  const Scratch scratch;
  const Ended ended = in(scratch, kRouters, {"--set", "time.duration='20 min'", "--set", "compare.replications=10000", "--out", "cut"}, 1500);
  CHECK(ended.code == 130);
  CHECK_THAT(ended.err, Contains("interrupted"));
  for (const std::string& name : scratch.names()) CHECK(name == "cut");
  if (!fs::exists(scratch.path() / "cut")) return;
  const json compared = json::parse(read_text(scratch.path() / "cut/compare.json"));
  CHECK(compared["partial"] == true);
  CHECK(compared["arm"]["random"]["replications"].front().size() == compared["seeds"].size());
}
