#include "config/record.hpp"

#include <catch2/catch.hpp>

#include "config/schema_text.hpp"
#include "faults.hpp"

using namespace joulecast;
using namespace joulecast::config;

namespace {

enum class Router { round_robin, power_of_two };

struct Slo {
  Seconds ttft;
  Share attainment{0.99};
};
struct Pool {
  std::string node;
  int replicas = 1;
  std::int64_t tokens = 8192;
  double scale = 1.0;
  bool prefix = true;
  Router router = Router::round_robin;
  std::optional<Watts> cap;
  std::vector<std::string> models;
  std::vector<Seconds> delays;
  std::optional<Slo> slo;
  Slo goal;
  Place place;
};
struct Scenario {
  std::int64_t seed = 1;
  NamedTables<Pool> pools;
  Priced<MoneyPerJoule> price;
  std::string lengths;
};

Record<Slo> slo_record() {
  Record<Slo> record("slo");
  record.required("ttft", &Slo::ttft, Bounds::positive(), "time to first token");
  record.optional("attainment", &Slo::attainment, "\"99 %\"", Bounds::between(0, 1), "share of requests");
  return record;
}

Record<Pool> pool_record() {
  Record<Pool> record("pool");
  record.required("node", &Pool::node, Bounds::any(), "the node profile")
      .optional("replicas", &Pool::replicas, "1", Bounds::between(1, 65536), "how many")
      .optional("tokens", &Pool::tokens, "8192", Bounds::positive(), "tokens a step")
      .optional("scale", &Pool::scale, "1.0", Bounds::not_negative(), "of the rate")
      .optional("prefix", &Pool::prefix, "true", Bounds::any(), "prefix caching")
      .choice("router", &Pool::router, {{"round_robin", Router::round_robin}, {"power_of_two", Router::power_of_two}}, "\"round_robin\"", "router")
      .optional("cap", &Pool::cap, "", Bounds::positive(), "power cap")
      .optional("models", &Pool::models, "[]", Bounds::any(), "models")
      .optional("delays", &Pool::delays, "[]", Bounds::not_negative(), "delays")
      .table("slo", &Pool::slo, slo_record(), "objective")
      .table("goal", &Pool::goal, slo_record(), "goal")
      .later("feed", "the feed")
      .place(&Pool::place)
      .check([](const Pool& pool, const Place& place, Diagnostics& diagnostics) {
        if (pool.replicas > 8 && pool.cap) diagnostics.error(place, "too many capped replicas", "drop the cap");
      });
  return record;
}

Record<Scenario> scenario_record() {
  Record<Scenario> record("the scenario");
  record.optional("seed", &Scenario::seed, "1", Bounds::not_negative(), "seed")
      .tables("pool", &Scenario::pools, pool_record(), "pools")
      .optional("price", &Scenario::price, "", Bounds::not_negative(), "price")
      .custom("lengths", "string or table", "", "lengths", [](Scenario& scenario, const Node& node, Diagnostics& diagnostics) {
        if (auto text = Reads<std::string>::read(node, diagnostics, "lengths")) scenario.lengths = *text;
      });
  return record;
}

Faults read_faults(const std::string& text) {
  return faults_of([&](Diagnostics& diagnostics) { scenario_record().read(parse_text(text, "a.toml"), diagnostics); });
}

/// The faults of one line in an otherwise good pool; the line is the third.
Faults pool_faults(const std::string& line) { return read_faults("[pool.a]\nnode = \"n\"\n" + line + "\n"); }

}  // namespace

TEST_CASE("a record reads what is there and keeps defaults for what is not") {
  Diagnostics diagnostics;
  const Scenario scenario = scenario_record().read(
      parse_text("lengths = \"azure\"\nprice = \"36 EUR/MWh\"\n[pool.zeta]\nnode = \"n\"\nreplicas = 6\nscale = 2\ncap = \"400 W\"\nrouter = "
                 "\"power_of_two\"\nmodels = [\"a\", \"b\"]\ndelays = [\"1 ms\"]\nslo.ttft = \"2 s\"\n[pool.alpha]\nnode = \"m\"\n",
                 "a.toml"),
      diagnostics);
  diagnostics.throw_if_failed();
  REQUIRE(scenario.pools.size() == 2);
  CHECK(scenario.pools[0].first == "zeta");
  CHECK(scenario.pools[1].first == "alpha");
  const Pool& pool = scenario.pools[0].second;
  CHECK(pool.replicas == 6);
  CHECK(pool.scale == 2);
  CHECK(pool.cap.value().si() == 400);
  CHECK(pool.router == Router::power_of_two);
  CHECK(pool.models == std::vector<std::string>{"a", "b"});
  CHECK(pool.delays.at(0).si() == 1e-3);
  CHECK(pool.slo.value().ttft.si() == 2);
  CHECK(pool.slo.value().attainment.value == 0.99);
  CHECK(pool.place.text() == "a.toml:3:1");
  CHECK(scenario.price.currency == "EUR");
  CHECK(scenario.lengths == "azure");
  CHECK(scenario.seed == 1);
  CHECK_FALSE(scenario.pools[1].second.slo);
}

TEST_CASE("each kind of fault has its exact place, what was read and what to do") {
  CHECK(pool_faults("replica = 2") == Faults{"3:1 unknown key \"replica\" in pool | did you mean \"replicas\"?"});
  CHECK(pool_faults("zzzzzz = 2").at(0).find("3:1 unknown key \"zzzzzz\" in pool | known keys: node, replicas, ") == 0);
  CHECK(pool_faults("replicas = 3.5") == Faults{"3:12 \"replicas\" expects an integer, read 3.5 | write a whole number"});
  CHECK(pool_faults("replicas = 3.0") == Faults{"3:12 \"replicas\" expects an integer, read 3.0 | write 3"});
  CHECK(pool_faults("replicas = \"3\"") == Faults{"3:12 \"replicas\" expects an integer, read the string \"3\" | write 3 without quotes"});
  CHECK(pool_faults("replicas = true") == Faults{"3:12 \"replicas\" expects an integer, read true | write for example: replicas = 1"});
  CHECK(pool_faults("replicas = 0") == Faults{"3:12 \"replicas\" is out of bounds: 0 | write a value in 1 .. 65536"});
  CHECK(pool_faults("replicas = 3000000000").at(0).find("3:12 \"replicas\" is out of range: 3000000000") == 0);
  CHECK(pool_faults("tokens = -1") == Faults{"3:10 \"tokens\" is out of bounds: -1 | write a value > 0"});
  CHECK(pool_faults("tokens = 0").size() == 1);
  CHECK(pool_faults("scale = -0.5") == Faults{"3:9 \"scale\" is out of bounds: -0.5 | write a value >= 0"});
  CHECK(pool_faults("scale = nan") == Faults{"3:9 \"scale\" is not a finite number: nan | write a finite number"});
  CHECK(pool_faults("scale = inf").size() == 1);
  CHECK(pool_faults("scale = \"2\"") == Faults{"3:9 \"scale\" expects a number, read \"2\" | write for example: scale = 1.5"});
  CHECK(pool_faults("prefix = \"true\"") == Faults{"3:10 \"prefix\" expects a boolean, read the string \"true\" | write true without quotes"});
  CHECK(pool_faults("prefix = 1").at(0).find("3:10 \"prefix\" expects a boolean, read 1 |") == 0);
  CHECK(pool_faults("router = \"power_of_tow\"") == Faults{"3:10 \"router\" does not know \"power_of_tow\" | did you mean \"power_of_two\"?"});
  CHECK(pool_faults("router = \"x\"") == Faults{"3:10 \"router\" does not know \"x\" | write one of \"round_robin\", \"power_of_two\""});
  CHECK(pool_faults("cap = 400") ==
        Faults{"3:7 \"cap\" needs a unit of power, read 400 | write it with a unit and in quotes, for example \"1.25 kW\""});
  CHECK(pool_faults("cap = \"-400 W\"") == Faults{"3:7 \"cap\" is out of bounds: \"-400 W\" | write a value > 0 W"});
  CHECK(pool_faults("cap = \"1e308 kW\"").at(0).find("3:7 \"cap\" is not a finite number") == 0);
  CHECK(pool_faults("models = \"a\"") == Faults{"3:10 \"models\" expects a list of string, read \"a\" | write for example: models = [\"...\"]"});
  CHECK(pool_faults("models = [\"a\", 3]") == Faults{"3:16 \"models\" expects a string, read 3 | write for example: models = \"3\""});
  CHECK(pool_faults("delays = [\"1 ms\", \"-1 ms\"]").at(0).find("3:10 \"delays\" is out of bounds: -0.001 s") == 0);
  CHECK(pool_faults("slo = \"2 s\"") == Faults{"3:7 \"slo\" expects a table, read \"2 s\" | write for example: slo = { ... }"});
  CHECK(pool_faults("slo = { attainment = \"99 %\" }") == Faults{"3:7 slo lacks \"ttft\": time to first token | add ttft = \"1.5 s\""});
  CHECK(pool_faults("slo = { ttft = \"2 s\", atainment = 1 }") == Faults{"3:23 unknown key \"atainment\" in slo | did you mean \"attainment\"?"});
  CHECK(pool_faults("feed = \"row-a\"") == Faults{"3:8 \"feed\" is not yet supported | remove \"feed\""});
  CHECK(pool_faults("replicas = 9\ncap = \"1 W\"") == Faults{"1:1 too many capped replicas | drop the cap"});
  CHECK(read_faults("[pool]\na = 3\n") == Faults{"2:5 \"pool.a\" expects a table, read 3 | write for example: pool.a = { ... }"});
  CHECK(read_faults("[pool.a]\n") == Faults{"1:1 pool lacks \"node\": the node profile | add node = \"...\""});
  CHECK(read_faults("lengths = 3\n") == Faults{"1:11 \"lengths\" expects a string, read 3 | write for example: lengths = \"3\""});
}

TEST_CASE("all faults come at once, in the order of the file") {
  CHECK(read_faults("sed = 2\nprice = 3\n[pool.b]\nnode = 3\nreplicas = 9\ncap = \"1 W\"\n[pool.a]\nreplicas = 1.5\n").size() == 5);
  const Faults faults = read_faults("[pool.b]\nreplicas = 0\nnode = 3\n[pool.a]\nnod = \"x\"\n");
  REQUIRE(faults.size() == 4);
  CHECK(faults[0].substr(0, 4) == "2:12");
  CHECK(faults[1].substr(0, 3) == "3:8");
  CHECK(faults[2].substr(0, 3) == "4:1");
  CHECK(faults[3].substr(0, 3) == "5:1");
}

TEST_CASE("a record describes itself for people and as JSON") {
  const auto parameters = scenario_record().describe();
  const std::string text = schema_text("scenario", parameters);
  INFO(text);
  CHECK(text.find("pool.NAME.replicas         integer") != std::string::npos);
  CHECK(text.find("1 .. 65536") != std::string::npos);
  CHECK(text.find("pool.NAME.slo.ttft") != std::string::npos);
  CHECK(text.find("time [s]") != std::string::npos);
  CHECK(text.find("not yet supported") != std::string::npos);
  const std::string json = schema_json("scenario", parameters);
  INFO(json);
  CHECK(json.find("{\"key\": \"replicas\", \"type\": \"integer\", \"default\": \"1\", \"bounds\": \"1 .. 65536\", \"text\": \"how many\", "
                  "\"required\": false, \"later\": false}") != std::string::npos);
  CHECK(json.find("\"type\": \"one of round_robin | power_of_two\", \"default\": \"\\\"round_robin\\\"\"") != std::string::npos);
}
