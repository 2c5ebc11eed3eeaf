// `joulecast plan`: traffics too short to claim a tail, prices and lives that are and are not known, limits and what is said of them.
#include <catch2/catch.hpp>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>

#include "cli/plan_support.hpp"

using namespace joulecast::test;
using Catch::Contains;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

/// A plan of one kind of fleet for the requests of `traffic`, in a file of its own.
std::string plan_file(const Scratch& scratch, const std::string& time, const std::string& traffic, const std::string& plan) {
  const std::string path = (scratch.path() / "own.toml").string();
  std::ofstream(path) << "schema = 1\n[time]\n" + time +
                             "\n[site.here]\npue = 1.2\n[pool.chat]\nnode = 'dgx-h100'\nmodel = 'meta-llama/Llama-3.1-8B-Instruct'\n"
                             "tensor_parallel_size = 1\nreplicas = 8\n[traffic.chat]\n" +
                             traffic + "\n[plan]\n" + plan + "\n[plan.choose]\ntensor_parallel_size = 1\n";
  return path;
}

/// A trace of so many small requests, one a second.
void trace_file(const Scratch& scratch, int rows) {
  std::ofstream file(scratch.path() / "trace.csv");
  file << "TIMESTAMP,ContextTokens,GeneratedTokens\n";
  char stamp[40];
  for (int i = 0; i < rows; ++i) {
    std::snprintf(stamp, sizeof stamp, "2023-11-16 %02d:%02d:%02d.0000000", 10 + i / 3600, i / 60 % 60, i % 60);
    file << stamp << ",200,20\n";
  }
}

}  // namespace

TEST_CASE("a traffic that cannot be widened and is too short for the tail it claims is refused, not found wanting") {
  const Scratch scratch;
  const std::string slo = "slo = { ttft = '2 s', tpot = '80 ms', attainment = '99 %' }\n",
                    trace = "requests = { file = 'trace.csv', format = 'azure' }\n" + slo;
  const auto refused = [&](const std::string& file, const std::string& due) {
    const Ended ended = plan_in(scratch, {"--out", "out"}, file);
    CAPTURE(ended.err);
    CHECK(ended.code == 2);
    CHECK_THAT(ended.err, Contains("takes 299 requests after the warm-up") && Contains(due) && Contains("a longer trace"));
    CHECK_FALSE(fs::exists(scratch.path() / "out"));
  };
  trace_file(scratch, 400);
  refused(plan_file(scratch, "warmup = '150 s'", trace, ""), "and 250 are due");
  refused(plan_file(scratch, "duration = '290 s'", trace, ""), "and 290 are due");
  refused(plan_file(scratch, "duration = '350 s'\nwarmup = '60 s'", trace, ""), "and 290 are due");
  refused(plan_file(scratch, "warmup = '10 s'", "rate = { scale = 1, by = 'compress' }\n" + trace, "growth = 100"), "and 0 are due");
  trace_file(scratch, 250);
  refused(plan_file(scratch, "", "rate = { scale = 1, by = 'compress' }\n" + trace, "growth = 1.3"), "and 250 are due");
  const std::string closed = "lengths = 'azure-2023-conv'\narrivals = { process = 'closed', max_concurrency = 4, think_time = '5 s' }\n" + slo;
  refused(plan_file(scratch, "duration = '60 s'\nwarmup = '10 s'", closed, ""), "were judged");
  // Long enough, each of them holds.
  trace_file(scratch, 400);
  CHECK(plan_in(scratch, {"--out", "cut"}, plan_file(scratch, "duration = '350 s'\nwarmup = '30 s'", trace, "")).code == 0);
  trace_file(scratch, 250);
  const std::string repeated = "requests = { file = 'trace.csv', format = 'azure', repeat = true }\n" + slo;
  CHECK(plan_in(scratch, {"--out", "repeated"}, plan_file(scratch, "duration = '400 s'", repeated, "")).code == 0);
  CHECK(plan_in(scratch, {"--out", "closed"}, plan_file(scratch, "duration = '20 min'\nwarmup = '10 s'", closed, "")).code == 0);
}

TEST_CASE("a closed loop that no fleet serves is not said to have been compared with what keeps up") {
  const Scratch scratch;
  const std::string traffic =
      "lengths = 'azure-2023-conv'\narrivals = { process = 'closed', max_concurrency = 8, think_time = '1 s' }\nslo = { ttft = '20 ms', attainment = "
      "'99 %' }\n";
  const Ended ended = plan_in(scratch, {"--out", "out", "--json"}, plan_file(scratch, "duration = '3 min'\nwarmup = '10 s'", traffic, ""));
  CAPTURE(ended.err);
  REQUIRE(ended.code == 3);
  const json plan = json::parse(ended.out);
  const json& candidate = plan["candidate"].begin().value();
  CHECK(candidate["verdict"] == "not_held");
  CHECK_THAT(candidate["why"].get<std::string>(), Contains("no more are tried") && !Contains("keeps up"));
}

TEST_CASE("fleets whose hardware has no price have a cost of energy and no total, and pass no limit on cost") {
  const Scratch scratch;
  const std::string a40 = "plan.choose.node=['pcie-8x-a40','dgx-h100']";
  const json plan = planned(scratch, "energy", {"plan.minimise='energy'", a40, "plan.choose.tensor_parallel_size=2"});
  const json& unpriced = fleet(plan, "pcie-8x-a40-tp2")["cost"];
  CHECK(unpriced["energy_per_month"].get<double>() > 0);
  for (const char* key : {"total_per_month", "per_million_input", "per_million_output"}) CHECK_FALSE(unpriced.contains(key));
  CHECK(fleet(plan, "dgx-h100-tp2")["cost"].contains("total_per_month"));
  CHECK_FALSE(plan["winner"].contains("cost"));
  CHECK_THAT(read_text(scratch.path() / "energy/plan.csv"), Contains("pcie-8x-a40-tp2,pcie-8x-a40,A40"));
  const Ended limited =
      plan_in(scratch, {"--out", "limited", "--set", "plan.minimise='energy'", "--set", a40, "--set", "plan.limits.cost='1 USD/month'"});
  CHECK(limited.code == 2);
  CHECK_THAT(limited.err, Contains("nothing says what \"pcie-8x-a40\" costs") && Contains("leave out plan.limits.cost"));
}

TEST_CASE("embodied carbon is spread over a life that is stated without capital") {
  const Scratch scratch;
  const json plan =
      planned(scratch, "life",
              {"plan.choose.node='dgx-h100'", "plan.choose.tensor_parallel_size=1", "plan.cost.dgx-h100={embodied_carbon='320 kg',life='4 year'}"});
  const json& row = fleet(plan, "dgx-h100-tp1");
  CHECK(row["embodied_carbon_grams_per_month"].get<double>() == Approx(row["gpus"].get<double>() * 320e3 / 48));
  CHECK(row["cost"].contains("rental_per_month"));
}

TEST_CASE("a stated price is of the node with its own GPU, not of one that is put in") {
  const Scratch scratch;
  const json plan = planned(scratch, "gpus",
                            {"pool.chat.node='dgx-h100'", "plan.choose.node='dgx-h100'", "plan.choose.gpu=['H100 SXM','H200 SXM']",
                             "plan.choose.tensor_parallel_size=1", "pool.chat.cost={rental='9 USD/GPU/h'}"});
  CHECK_THAT(plan["candidate"]["dgx-h100-tp1-H100-SXM"]["cost_source"].get<std::string>(), Contains("own nodes"));
  CHECK_THAT(plan["candidate"]["dgx-h100-tp1-H200-SXM"]["cost_source"].get<std::string>(), Contains("InferenceX"));
  CHECK_THAT(read_text(scratch.path() / "gpus/report.txt"),
             Contains("dgx-h100 with H100 SXM: rent 9.00") && Contains("dgx-h100 with H200 SXM: rent 1.41"));
}

TEST_CASE("a limit on power holds at the grown load") {
  const Scratch scratch;
  const std::vector<std::string> one = {"plan.choose.node='dgx-h100'", "plan.choose.tensor_parallel_size=1"};
  const auto limited = [&](const std::string& out, double watts) {
    return planned(scratch, out, {one[0], one[1], "plan.limits.power='" + std::to_string(watts) + " W'"})["candidate"]["dgx-h100-tp1"];
  };
  const json wide = limited("wide", 1e6);
  REQUIRE(wide["verdict"] == "holds");
  const double planned_peak = wide["fleet"]["peak_it_watts"], grown = wide["grown_peak_it_watts"];
  REQUIRE(grown > planned_peak);
  const json narrow = limited("narrow", (planned_peak + grown) / 2);
  CHECK(narrow["verdict"] == "over_limit");
  CHECK_THAT(narrow["why"].get<std::string>(), Contains("at 1.2 x the load") && Contains("over plan.limits.power"));
}

TEST_CASE("what keeps up is an estimate: a fleet just below it is simulated, one far below it is ruled out as estimated") {
  const Scratch scratch;
  const std::vector<std::string> one = {"plan.choose.node='pcie-8x-l40s'", "plan.choose.tensor_parallel_size=1"};
  const json free = planned(scratch, "free", one)["candidate"]["pcie-8x-l40s-tp1"];
  const int below = free["bounds"]["keeping_up_nodes"].get<int>() - 1;
  REQUIRE(below > 1);
  const json near = planned(scratch, "near", {one[0], one[1], "plan.limits.nodes=" + std::to_string(below)})["candidate"]["pcie-8x-l40s-tp1"];
  CHECK(near["verdict"] == "not_held");
  CHECK(near["survivors"]["nodes"] == below);
  CHECK_THAT(near["why"].get<std::string>(), Contains("plan.limits.nodes"));
  const json far =
      planned(scratch, "far", {one[0], one[1], "plan.limits.nodes=2", "traffic.chat.request_rate='600 /s'"})["candidate"]["pcie-8x-l40s-tp1"];
  CHECK(far["verdict"] == "ruled_out");
  CHECK_THAT(far["why"].get<std::string>(), Contains("by estimate") && Contains("plan.limits.nodes = 2"));
}

TEST_CASE("a limit on cost is in a currency, in the results and in what is over it") {
  const Scratch scratch;
  const json plan = planned(scratch, "dear", {"plan.limits.cost='1000 USD/month'"});
  CHECK(plan["limits"]["cost_currency"] == "USD");
  CHECK_THAT(plan["binding"].get<std::string>(), Contains("over plan.limits.cost of 1000 USD"));
}

TEST_CASE("a folder whose run.json says something else is another run's, and no fault of ours") {
  const Scratch scratch;
  REQUIRE(plan_in(scratch, {"--out", "one", "--set", "plan.choose.node='dgx-h100'"}).code == 0);
  std::ofstream(scratch.path() / "one/run.json") << R"({"plan": 5, "exit_code": "x", "inputs": []})";
  const Ended again = plan_in(scratch, {"--out", "one", "--set", "plan.choose.node='dgx-h100'"});
  CHECK(again.code == 2);
  CHECK_THAT(again.err, Contains("holds the results of another run"));
}
