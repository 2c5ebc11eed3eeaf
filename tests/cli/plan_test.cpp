// `joulecast plan`: the fleet that holds and the one that does not, rows that run, answers that move the right way, refusals, exit codes.
#include <algorithm>
#include <catch2/catch.hpp>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>

#include "cli/plan_support.hpp"

using namespace joulecast::test;
using Catch::Contains;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

double cost(const json& plan) { return fleet(plan, plan["winner"]["cost"].get<std::string>())["cost"]["total_per_month"]; }

}  // namespace

TEST_CASE("a plan finds a fleet that holds with a node down, of which one node fewer fails, and is the same bytes for any -j") {
  const Scratch scratch;
  const Ended one = plan_in(scratch, {"--out", "one", "-j", "1"});
  CAPTURE(one.err);
  REQUIRE(one.code == 0);
  CHECK_THAT(one.out, Contains("cheapest") && Contains("most frugal") && Contains("smallest") && Contains("One node fewer") &&
                          Contains("What would turn the answer") && Contains("joulecast run one/plans/"));
  // Money has three digits, as its doubt allows no more.
  std::smatch money;
  REQUIRE(std::regex_search(one.out, money, std::regex("([0-9,]+) USD a month")));
  CHECK_THAT(money[1].str(), Catch::Matches("[0-9]{2},[0-9]00"));
  REQUIRE(plan_in(scratch, {"--out", "two", "-j", "2"}).code == 0);
  const json plan = json::parse(read_text(scratch.path() / "one/plan.json"));
  for (const auto& [name, candidate] : plan["candidate"].items()) {
    CAPTURE(name);
    REQUIRE(candidate["verdict"] == "holds");
    CHECK(candidate["survivors"]["held"] == true);
    CHECK(candidate["survivors"]["nodes"] == candidate["fleet"]["nodes"]);
    const int nodes = candidate["fleet"]["nodes"];
    if (nodes > 2) {
      CHECK(candidate["one_node_fewer"]["held"] == false);
      CHECK(candidate["one_node_fewer"]["nodes"] == nodes - 1);
    }
    CHECK(candidate["load"]["scale"] >= plan["growth"]);
    const std::string file = "plans/" + name + ".toml";
    CHECK(read_text(scratch.path() / "one" / file) == read_text(scratch.path() / "two" / file));
  }
  for (const std::string file : {"plan.json", "plan.csv", "report.txt"}) {
    CHECK(read_text(scratch.path() / "one" / file) == read_text(scratch.path() / "two" / file));
  }
  CHECK_THAT(plan_in(scratch, {"--out", "one"}).err, Contains("already there"));
}

TEST_CASE("a row's scenario runs to the row's figures, and its survivors miss the SLO with a node fewer") {
  const Scratch scratch;
  const json plan = planned(scratch, "plan", {});
  const std::string name = plan["winner"]["cost"];
  const json& row = fleet(plan, name);
  const Ended ran = run_joulecast({"run", "plan/plans/" + name + ".toml", "--json", "--out", "ran"}, {scratch.path().string(), {}, 0});
  CAPTURE(ran.err);
  REQUIRE(ran.code == 0);
  const json summary = json::parse(ran.out);
  CHECK(summary["energy_per_output_token_joules"] == row["energy_per_output_token_joules"]);
  CHECK(summary["cost"]["per_million"]["output"] == row["cost"]["per_million_output"]);
  CHECK(summary["power_watts"]["it"]["peak_1s"].get<double>() >= row["peak_it_watts"].get<double>());
  // What is left of a fleet of one node fewer with a node down, at the grown load.
  const json& fewer = plan["candidate"][name]["one_node_fewer"];
  const int up = fewer["nodes"].get<int>() - 1, a_node = plan["candidate"][name]["replicas_per_node"];
  const json& pool = plan["candidate"][name]["settings"];
  const Ended left = run_joulecast(
      {"run", kSmallPlan, "--json", "--out", "left", "--set", "pool.chat.node='" + plan["candidate"][name]["node"].get<std::string>() + "'", "--set",
       "pool.chat.tensor_parallel_size=" + pool["tensor_parallel_size"].get<std::string>(), "--set",
       "pool.chat.replicas=" + std::to_string(up * a_node), "--set", "traffic.chat.request_rate='72 /s'"},
      {scratch.path().string(), {}, 0});
  REQUIRE(left.code == 0);
  CHECK(json::parse(left.out)["traffic"]["chat"]["slo_attainment"].get<double>() < 0.99);
}

TEST_CASE("the answer moves the right way with the price of power, the SLO and the load") {
  const Scratch scratch;
  const json base = planned(scratch, "base", {});
  const json dear = planned(scratch, "dear", {"site.here.price='2 USD/kWh'"});
  const json tight = planned(scratch, "tight", {"traffic.chat.slo.tpot='20 ms'"});
  const json busy = planned(scratch, "busy", {"traffic.chat.request_rate='180 /s'"});
  CHECK(cost(dear) > cost(base));
  CHECK(cost(busy) > cost(base));
  // At a dearer price the cheapest draws no more than the one before.
  const auto watts = [](const json& plan, const std::string& name) { return fleet(plan, name)["mean_watts"]["facility"].get<double>(); };
  CHECK(watts(dear, dear["winner"]["cost"]) <= watts(base, base["winner"]["cost"]));
  for (const auto& [name, candidate] : base["candidate"].items()) {
    CAPTURE(name);
    const int nodes = candidate["fleet"]["nodes"];
    CHECK(busy["candidate"][name]["fleet"]["nodes"] >= nodes);
    CHECK((tight["candidate"][name]["verdict"] != "holds" || tight["candidate"][name]["fleet"]["nodes"] >= nodes));
  }
  CHECK((!tight["holds"].get<bool>() || cost(tight) >= cost(base)));
  // Beyond the price at which the plan says that the answer turns, it has.
  const auto turn = std::find_if(base["turns"].begin(), base["turns"].end(), [](const json& each) { return each["input"] == "price of power"; });
  REQUIRE(turn != base["turns"].end());
  const double at = (*turn)["at"], now = (*turn)["now"];
  const auto winner_at = [&](const std::string& out, double price) {
    return planned(scratch, out, {"site.here.price='" + std::to_string(price) + " USD/kWh'"})["winner"]["cost"];
  };
  CHECK(winner_at("turned", at > now ? 1.05 * at : 0.95 * at) == (*turn)["to"]);
  CHECK(winner_at("not-yet", at > now ? 0.95 * at : 1.05 * at) == base["winner"]["cost"]);
}

TEST_CASE("nothing holds: exit 3 with what stands in the way, and the folder says it too") {
  const Scratch scratch;
  const Ended limited = plan_in(scratch, {"--out", "limited", "--set", "plan.limits.nodes=1"});
  CHECK(limited.code == 3);
  CHECK_THAT(limited.err, Contains("no fleet holds") && Contains("1 nodes at most, and 1 may be down") && Contains("plan.limits.nodes"));
  const json plan = json::parse(read_text(scratch.path() / "limited/plan.json"));
  CHECK(plan["holds"] == false);
  CHECK_THAT(plan["binding"].get<std::string>(), Contains("plan.limits.nodes"));
  CHECK(plan_in(scratch, {"--out", "limited", "--set", "plan.limits.nodes=1"}).code == 3);
  const Ended power = plan_in(scratch, {"--out", "power", "--set", "plan.limits.power='2 kW'"});
  CHECK(power.code == 3);
  CHECK_THAT(power.err, Contains("over plan.limits.power of 2.00 kW"));
  const Ended dear = plan_in(scratch, {"--out", "dear", "--set", "plan.limits.cost='1000 USD/month'"});
  CHECK(dear.code == 3);
  CHECK_THAT(dear.err, Contains("over plan.limits.cost of 1000"));
  const Ended fast = plan_in(scratch, {"--out", "fast", "--set", "traffic.chat.slo.tpot='0.1 ms'"});
  CHECK(fast.code == 3);
  CHECK_THAT(fast.err, Contains("a decode step of one sequence takes") && Contains("over the TPOT limit"));
}

TEST_CASE("what cannot be planned is refused by name, and leaves nothing") {
  const Scratch scratch;
  const auto refused = [&](const std::vector<std::string>& sets, const std::string& what, const std::string& remedy) {
    std::vector<std::string> words = {"--out", "out"};
    for (const std::string& set : sets) {
      words.push_back("--set");
      words.push_back(set);
    }
    const Ended ended = plan_in(scratch, words);
    CAPTURE(ended.err);
    CHECK(ended.code == 2);
    CHECK_THAT(ended.err, Contains(what) && Contains(remedy));
    CHECK_FALSE(fs::exists(scratch.path() / "out"));
  };
  refused({"plan.choose.node=['a40-nothing']"}, "a40-nothing", "");
  refused({"plan.choose.node=['pcie-8x-a40']"}, "nothing says what \"pcie-8x-a40\" costs", "plan.cost.pcie-8x-a40");
  refused({"plan.choose.tensor_paralel_size=[1]"}, "tensor_paralel_size", "tensor_parallel_size");
  refused({"plan.choose.time.duration=['1 s']"}, "a plan can't choose \"time\"", "node");
  refused({"plan.choose.node=[]"}, "nothing to choose", "at least one");
  refused({"traffic.chat.num_requests=200"}, "takes 299 requests", "raise num_requests");
  refused({"plan.limits.carbon='1 t'", "plan.survive.nodes=-1"}, "nodes", "");
  const Ended none = plan_in(scratch, {"--out", "out"}, (source() / "scenarios/quickstart.toml").string());
  CHECK(none.code == 2);
  CHECK_THAT(none.err, Contains("has no [plan]") && Contains("schema plan"));
  std::ofstream(scratch.path() / "no-slo.toml")
      << "schema = 1\n[time]\nduration = '30 s'\n[site.here]\npue = 1.2\n"
         "[pool.chat]\nnode = 'dgx-h100'\nmodel = 'meta-llama/Llama-3.1-8B'\ntensor_parallel_size = 1\nreplicas = 1\n"
         "[traffic.chat]\nrequests = 'azure-2023-conv'\nrequest_rate = '4 /s'\n[plan]\n";
  const Ended slo = plan_in(scratch, {"--out", "out"}, (scratch.path() / "no-slo.toml").string());
  CHECK(slo.code == 2);
  CHECK_THAT(slo.err, Contains("a plan without an SLO") && Contains("add slo"));
}

TEST_CASE("a traffic too short for the tail it claims is widened, by name") {
  const Scratch scratch;
  const json plan = planned(scratch, "wide", {"time.duration='12 s'", "plan.choose.node=['dgx-h100']", "plan.choose.tensor_parallel_size=1"});
  REQUIRE(plan["notes"].size() == 1);
  CHECK_THAT(plan["notes"][0].get<std::string>(), Contains("widened") && Contains("299 requests") && Contains("in place of 12 s"));
}

TEST_CASE("eight times the conversation traffic on nodes of three kinds: a fleet is found, and every one with a node fewer fails", "[long]") {
  const Scratch scratch;
  const Ended ended = plan_in(scratch, {"--out", "az", "--json"}, (source() / "scenarios/plan-azure-conv-8x.toml").string());
  CAPTURE(ended.err);
  REQUIRE(ended.code == 0);
  const json plan = json::parse(ended.out);
  CHECK(plan["candidate"].size() == 12);
  int holding = 0;
  for (const auto& [name, candidate] : plan["candidate"].items()) {
    CAPTURE(name);
    if (candidate["verdict"] != "holds") continue;
    ++holding;
    CHECK(candidate["survivors"]["held"] == true);
    REQUIRE(candidate.contains("one_node_fewer"));
    CHECK(candidate["one_node_fewer"]["held"] == false);
  }
  CHECK(holding > 0);
}
