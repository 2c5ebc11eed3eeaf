// --uncertainty: the files it leaves, what it refuses, that it is the same for any number of threads.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "cli/program.hpp"

using namespace joulecast::test;
using Catch::Contains;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

const std::string kQuick = (source() / "scenarios/quickstart.toml").string();

std::vector<std::string> words(std::vector<std::string> first, const std::vector<std::string>& more = {}) {
  const std::vector<std::string> short_run = {"--set", "time.duration='20 s'", "--set", "time.warmup='2 s'"};
  first.insert(first.end(), short_run.begin(), short_run.end());
  first.insert(first.end(), more.begin(), more.end());
  return first;
}

Ended in(const Scratch& scratch, const std::vector<std::string>& arguments, int interrupt_after_ms = 0) {
  return run_joulecast(arguments, {scratch.path().string(), {}, interrupt_after_ms});
}

json summary_of(const Scratch& scratch, const std::string& folder) { return json::parse(read_text(scratch.path() / folder / "summary.json")); }

}  // namespace

TEST_CASE("run --uncertainty: intervals of draws on every headline figure, where they come from, and the same bytes for any threads") {
  const Scratch scratch;
  const Ended one = in(scratch, words({"run", kQuick, "--uncertainty", "30", "--out", "one", "-j", "1"}));
  CAPTURE(one.err);
  REQUIRE(one.code == 0);
  CHECK_THAT(one.out,
             Contains("Uncertainty  30 draws") && Contains("Where it comes from") && Contains("% of the variance of chat TPOT p50 comes from"));
  REQUIRE(in(scratch, words({"run", kQuick, "--uncertainty", "30", "--out", "two", "-j", "2"})).code == 0);
  for (const std::string file : {"summary.json", "summary.csv", "uncertainty.csv", "results.h5", "report.txt", "scenario.resolved.toml"}) {
    INFO(file);
    CHECK(read_text(scratch.path() / "one" / file) == read_text(scratch.path() / "two" / file));
  }
  const json summary = summary_of(scratch, "one");
  const json& interval = summary["interval80"];
  for (const std::string pointer : {"/energy_joules/facility", "/power_watts/it/mean", "/energy_per_output_token_joules/gpu", "/cost/total",
                                    "/carbon_grams", "/traffic/chat/ttft_s/p99", "/traffic/chat/output_tokens_per_s"}) {
    INFO(pointer);
    const json ends = interval.value(json::json_pointer(pointer), json());
    REQUIRE(ends.is_array());
    CHECK(ends[0] <= ends[1]);
  }
  const json& known = summary["uncertainty"];
  CHECK(known["draws"] == 30);
  CHECK(known["seed"] == summary["seed"]);
  CHECK(known["intervals"]["energy_joules.facility"] == interval["energy_joules"]["facility"]);
  double shares = known["unexplained"]["energy_joules.gpu"].get<double>();
  for (const json& source : known["sources"]) {
    CHECK_THAT(source["file"].get<std::string>(), Contains("hardware_profiles/"));
    shares += source["share"].value("energy_joules.gpu", 0.0);
  }
  CHECK(shares == Approx(1).margin(0.02));  // shares below a thousandth are left out
  const std::string csv = read_text(scratch.path() / "one" / "uncertainty.csv");
  CHECK(std::count(csv.begin(), csv.end(), '\n') == 31);
}

TEST_CASE("the run's own figures are those without draws, and another number of draws is another result") {
  const Scratch scratch;
  REQUIRE(in(scratch, words({"run", kQuick, "--out", "plain"})).code == 0);
  REQUIRE(in(scratch, words({"run", kQuick, "--out", "drawn", "--uncertainty", "12"})).code == 0);
  const json plain = summary_of(scratch, "plain"), drawn = summary_of(scratch, "drawn");
  for (const char* key : {"energy_joules", "power_watts", "traffic", "pool", "cost"}) CHECK(plain[key] == drawn[key]);
  CHECK(read_text(scratch.path() / "plain" / "scenario.resolved.toml") == read_text(scratch.path() / "drawn" / "scenario.resolved.toml"));
  CHECK_THAT(in(scratch, words({"run", kQuick, "--out", "drawn", "--uncertainty", "12"})).err, Contains("already there"));
  CHECK(in(scratch, words({"run", kQuick, "--out", "drawn", "--uncertainty", "13"})).code == 2);
  CHECK(in(scratch, words({"run", kQuick, "--out", "drawn"})).code == 2);
  REQUIRE(in(scratch, words({"run", kQuick})).code == 0);
  REQUIRE(in(scratch, words({"run", kQuick, "--uncertainty", "10"})).code == 0);
  CHECK(std::distance(fs::directory_iterator(scratch.path() / "runs"), fs::directory_iterator{}) == 2);
}

TEST_CASE("too few draws are refused or warned of") {
  const Scratch scratch;
  for (const std::string text : {"1", "0", "-3", "many", "1e3"}) {
    const Ended ended = in(scratch, words({"run", kQuick, "--uncertainty", text}));
    INFO(text);
    CHECK(ended.code == 2);
    CHECK_THAT(ended.err, Contains("no whole number from 2") && Contains("--uncertainty 100"));
  }
  CHECK(scratch.names().empty());
  CHECK_THAT(in(scratch, words({"run", kQuick, "--uncertainty", "4", "--out", "few"})).err, Contains("fewer than 30 draws"));
  CHECK(summary_of(scratch, "few")["uncertainty"]["unexplained"].empty());
  CHECK(summary_of(scratch, "few")["uncertainty"]["method"] == "student_t_of_the_draws");
}

TEST_CASE("Ctrl-C among the draws: the run stays whole, what was drawn counts, marked partial, and the next run starts anew") {
  const Scratch scratch;
  const std::vector<std::string> long_study = words({"run", kQuick, "--uncertainty", "100000", "--out", "cut"});
  const Ended ended = in(scratch, long_study, 2500);
  CAPTURE(ended.err);
  CHECK(ended.code == 130);
  CHECK_THAT(ended.err, Contains("interrupted") && Contains("partial"));
  const json run = json::parse(read_text(scratch.path() / "cut" / "run.json"));
  CHECK(run["partial"] == true);
  const json summary = summary_of(scratch, "cut");
  CHECK_FALSE(summary.contains("partial"));
  if (summary.contains("uncertainty")) CHECK(summary["uncertainty"]["partial"] == true);
  CHECK(in(scratch, words({"run", kQuick, "--uncertainty", "10", "--out", "cut"})).code == 0);
}

TEST_CASE("compare --uncertainty: intervals of levels and of differences by profiles' errors, apart from those by replications") {
  const Scratch scratch;
  const std::string routers = (source() / "scenarios/compare-routers.toml").string();
  const auto compare = [&](const std::string& out, const std::string& threads) {
    return in(scratch, words({"compare", routers, "--uncertainty", "30", "--out", out, "-j", threads}, {"--set", "compare.replications=3"}));
  };
  const Ended one = compare("one", "1");
  CAPTURE(one.err);
  REQUIRE(one.code == 0);
  CHECK_THAT(one.out, Contains("80 % by profiles") && Contains("minus round-robin, 80 %") && Contains("What the difference hangs on"));
  REQUIRE(compare("two", "3").code == 0);
  for (const std::string file : {"compare.json", "compare.csv", "report.txt", "results.h5"}) {
    INFO(file);
    CHECK(read_text(scratch.path() / "one" / file) == read_text(scratch.path() / "two" / file));
  }
  const json compared = json::parse(read_text(scratch.path() / "one/compare.json"));
  const std::string key = "energy_per_output_token_joules.facility";
  const json& arm = compared["arm"]["random"];
  CHECK(arm["difference"][key].contains("interval"));
  CHECK(arm["profile_error"]["difference"][key]["relative_interval"].size() == 2);
  const double level = arm["profile_error"]["values"][key][1].get<double>() - arm["profile_error"]["values"][key][0].get<double>();
  const json& difference = arm["profile_error"]["difference"][key]["interval"];
  CHECK(difference[1].get<double>() - difference[0].get<double>() < level / 5);
  CHECK(compared["uncertainty"]["draws"] == 30);
  CHECK_THAT(read_text(scratch.path() / "one/compare.csv"), Contains("difference_profile_low"));
  CHECK_THAT(compare("one", "1").err, Contains("already there"));
  CHECK(in(scratch, words({"compare", routers, "--out", "one"}, {"--set", "compare.replications=3"})).code == 2);
}
