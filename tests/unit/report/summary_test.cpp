#include "report/summary.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "unit/report/sample.hpp"

using namespace joulecast;
using namespace joulecast::report;
using Json = nlohmann::ordered_json;

namespace {

std::vector<std::string> keys(const Json& object) {
  std::vector<std::string> names;
  for (const auto& [name, value] : object.items()) names.push_back(name);
  return names;
}

bool holds_null(const Json& value) {
  if (value.is_structured()) {
    for (const auto& part : value) {
      if (holds_null(part)) return true;
    }
  }
  return value.is_null();
}

std::vector<std::string> cells(const std::string& line) {
  std::vector<std::string> out;
  std::istringstream in(line);
  for (std::string cell; std::getline(in, cell, ',');) out.push_back(cell);
  return out;
}

}  // namespace

TEST_CASE("summary.json has the stable keys in their order and no absent part") {
  const Json summary = Json::parse(summary_json(test::sample()));
  CHECK(keys(summary) == std::vector<std::string>{"schema", "name", "seed", "horizon_s", "warmup_s", "energy_joules", "gpu_energy_by_state_joules",
                                                  "power_watts", "energy_per_output_token_joules", "energy_per_request_joules", "coverage", "traffic",
                                                  "pool", "no_pool"});
  CHECK(keys(summary["energy_joules"]) == std::vector<std::string>{"gpu", "chassis_ac", "it", "facility"});
  CHECK(keys(summary["power_watts"]["it"]) == std::vector<std::string>{"mean", "p50", "p99_60s", "peak_1s", "peak_60s", "peak_900s"});
  CHECK(keys(summary["traffic"]["chat"]) == std::vector<std::string>{"arrived", "completed", "over_context", "rejected", "unfinished", "input_tokens",
                                                                     "output_tokens", "output_tokens_per_s", "slo_attainment", "stable", "ttft_s",
                                                                     "tpot_s", "e2e_s", "queue_s"});
  CHECK(keys(summary["traffic"]["chat"]["queue_s"]) == std::vector<std::string>{"mean", "p50", "p90"});
  CHECK(keys(summary["pool"]["chat"]) == std::vector<std::string>{"gpus", "mean_batch", "busy", "kv_usage", "preemptions", "energy_joules"});
  CHECK(keys(summary["coverage"]["energy"]) == std::vector<std::string>{"calibrated", "modelled"});
  CHECK_FALSE(holds_null(summary));
}

// 19,200 steps of 250 J, 600 kJ of context idle, 560 W for 1800 s.
TEST_CASE("summary.json has the ledger's figures, to the bit") {
  const scenario::Result result = test::sample();
  const Json summary = Json::parse(summary_json(result));
  CHECK(summary["gpu_energy_by_state_joules"]["active"] == 4'800'000.0);
  CHECK(summary["gpu_energy_by_state_joules"]["context_idle"] == 600'000.0);
  CHECK(summary["gpu_energy_by_state_joules"]["bare_idle"] == 1'008'000.0);
  CHECK(summary["energy_joules"]["gpu"] == 6'408'000.0);
  CHECK(summary["energy_joules"]["facility"].get<double>() == result.energy.joules[3]);
  CHECK(summary["energy_per_output_token_joules"]["gpu"] == 2.67);
  CHECK(summary["energy_per_request_joules"]["gpu"] == 534.0);
  CHECK(summary["no_pool"]["gpus"] == 8);
  CHECK(summary["no_pool"]["energy_joules"]["gpu"] == 1'008'000.0);
  CHECK(summary["power_watts"]["gpu"]["peak_900s"].get<double>() == Approx(4560));
}

TEST_CASE("what is known more is written more") {
  scenario::Result result = test::sample();
  result.partial = true;
  result.carbon_grams = 1234.5;
  result.cost = scenario::Cost{"USD", 0.2, std::nullopt, std::nullopt, 3.0, 3.2, 0.1, 0.4};
  result.spread = scenario::Spread{{0.1, 0.12, 0.12, 0.2}, {{"host watts", 0.7}}};
  result.pools[0].prefix_hit_rate = 0.0;
  const Json summary = Json::parse(summary_json(result));
  CHECK(summary["partial"] == true);
  CHECK(keys(summary["cost"]) == std::vector<std::string>{"currency", "energy", "capital", "total", "per_million"});
  CHECK(keys(summary["interval80"]) ==
        std::vector<std::string>{"energy_joules", "power_watts", "energy_per_output_token_joules", "energy_per_request_joules"});
  const auto interval = summary["interval80"]["energy_joules"]["gpu"];
  CHECK(interval[0].get<double>() == Approx(0.9 * 6'408'000));
  CHECK(interval[1].get<double>() == Approx(1.1 * 6'408'000));
  CHECK(keys(summary["interval80"]["power_watts"]["facility"]) == keys(summary["power_watts"]["facility"]));
  CHECK(summary["pool"]["chat"]["prefix_hit_rate"] == 0.0);
}

TEST_CASE("a run that knows little writes little") {
  scenario::Result result;
  result.name = "empty";
  result.energy.power.fill({NAN, NAN, NAN, NAN, NAN, NAN});
  const Json summary = Json::parse(summary_json(result));
  CHECK(keys(summary) == std::vector<std::string>{"schema", "name", "seed", "horizon_s", "warmup_s", "energy_joules", "gpu_energy_by_state_joules"});
}

TEST_CASE("summary.csv is the same as one row") {
  scenario::Result result = test::sample();
  result.spread = scenario::Spread{{0.1, 0.12, 0.12, 0.2}, {}};
  const Json summary = Json::parse(summary_json(result));
  std::istringstream csv(summary_csv(result));
  std::string header, row, rest;
  REQUIRE(std::getline(csv, header));
  REQUIRE(std::getline(csv, row));
  CHECK_FALSE(std::getline(csv, rest));
  const auto names = cells(header), values = cells(row);
  REQUIRE(names.size() == values.size());
  const auto value = [&](const std::string& name) {
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (names[i] == name) return values[i];
    }
    return std::string("absent");
  };
  CHECK(value("name") == "sample");
  CHECK(value("traffic.chat.arrived") == "12003");
  CHECK(value("energy_joules.gpu") == "6408000.0");
  CHECK(std::stod(value("interval80.energy_joules.facility.high")) == summary["interval80"]["energy_joules"]["facility"][1].get<double>());
  CHECK(value("traffic.chat.itl_s.mean") == "absent");
}

TEST_CASE("a name with a comma or a quote stays one cell") {
  scenario::Result result = test::sample();
  result.name = "chat, \"code\"";
  CHECK_THAT(summary_csv(result), Catch::Contains("\n1,\"chat, \"\"code\"\"\",7,"));
}
