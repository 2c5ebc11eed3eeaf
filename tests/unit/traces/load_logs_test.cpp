// Logs of an engine's load, and of a chassis's power: documented forms, with their faults.
#include <catch2/catch.hpp>
#include <cmath>

#include "traces/chassis/log.hpp"
#include "traces/load/log.hpp"
#include "unit/traces/power_support.hpp"

using namespace joulecast;
using namespace joulecast::traces;
using namespace joulecast::traces::test;
using Catch::Contains;

namespace {

LoadLog load(std::string_view text, const PowerLogOptions& options = log_options()) { return read_load_log_text(text, options); }
ChassisLog chassis(std::string_view text, const PowerLogOptions& options = log_options()) { return read_chassis_log_text(text, options); }

PowerLogOptions with(void (*change)(PowerLogOptions&)) {
  PowerLogOptions options = log_options();
  change(options);
  return options;
}

}  // namespace

TEST_CASE("scrapes of vLLM's metrics: both names of KV usage, an engine each, times from the comment") {
  std::string scrapes;
  for (int k = 0; k < 2; ++k) {
    scrapes += "# scrape 2026-03-01T09:00:0" + std::to_string(k) + "Z\n# HELP vllm:num_requests_running Number of requests\n";
    for (const char* engine : {"0", "1"}) {
      const std::string labels = std::string("{engine=\"") + engine + "\",model_name=\"m, n\"} ";
      scrapes += "vllm:num_requests_running" + labels + std::to_string(3 + k) + ".0\n";
      scrapes += (k == 0 ? "vllm:gpu_cache_usage_perc" : "vllm:kv_cache_usage_perc") + labels + "0.25\n";
      scrapes += "vllm:generation_tokens_total" + labels + "1.5e+06\n";
      scrapes += "vllm:time_to_first_token_seconds_bucket{engine=\"0\",le=\"+Inf\"} 7.0\n";
    }
  }
  const LoadLog log = load(scrapes);
  CHECK(log.source.format == "vllm-metrics");
  CHECK(log.time_base == TimeBase::utc);
  REQUIRE(log.engines.size() == 2);
  CHECK(log.engines[1].label == "1");
  CHECK(log.engines[1].running == std::vector<double>{3, 4});
  CHECK(log.engines[1].kv_usage == std::vector<double>{0.25, 0.25});
  CHECK(log.engines[1].generation_tokens[0] == 1.5e6);
  CHECK(log.engines[1].waiting.empty());
  CHECK(log.engines[1].time_ns[1] - log.engines[1].time_ns[0] == 1'000'000'000);
}

TEST_CASE("the same metrics as Prometheus's answer and as a table with a time a row") {
  const LoadLog range = load(
      R"({"data":{"resultType":"matrix","result":[{"metric":{"__name__":"vllm:num_requests_running","engine":"0"},"values":[[1772355600,"5"],[1772355601,"6"]]}]}})");
  CHECK(range.engines.at(0).running == std::vector<double>{5, 6});
  const LoadLog table = load(
      "timestamp,num_requests_running,gpu_cache_usage_perc,iteration_tokens_total_count,else\n1784435163.0697792,0.0,3.4e-05,1.0,x\n"
      "1784435163.3246324,2.0,4.4e-05,3.0,y\n");
  CHECK(table.source.format == "engine-csv");
  CHECK(table.engines.at(0).running == std::vector<double>{0, 2});
  CHECK(table.engines[0].steps == std::vector<double>{1, 3});
  CHECK(table.engines[0].time_ns[0] == 1784435163069779200);
  CHECK(table.source.rows == 2);
  CHECK_THROWS_AS(load("timestamp,num_requests_running\n1784435163,0.0\n1784435163\n1784435164,0\n"), UserError);
}

TEST_CASE("vLLM's log lines carry no year and no zone: both are said") {
  const std::string lines =
      "INFO 12-31 23:59:55 [loggers.py:116] Engine 000: Avg prompt throughput: 12.5 tokens/s, Avg generation throughput: 130.4 tokens/s, "
      "Running: 3 reqs, Waiting: 1 reqs, GPU KV cache usage: 1.5%, Prefix cache hit rate: 0.0%\nINFO 12-31 23:59:56 [api_server.py:1] else\n"
      "(EngineCore pid=7) INFO 01-01 00:00:05 [loggers.py:116] Engine 000: Avg prompt throughput: 0.0 tokens/s, Avg generation throughput: 90.0 "
      "tokens/s, "
      "Running: 2 reqs, Waiting: 0 reqs, GPU KV cache usage: 1.0%\n";
  const LoadLog log = load(lines, with([](PowerLogOptions& o) {
                             o.timezone = "UTC";
                             o.year = 2025;
                           }));
  CHECK(log.source.format == "vllm-log");
  CHECK(log.engines.at(0).running == std::vector<double>{3, 2});
  CHECK(log.engines[0].kv_usage[0] == Approx(0.015));
  CHECK(log.engines[0].generation_rate == std::vector<double>{130.4, 90.0});
  CHECK(log.engines[0].time_ns[1] - log.engines[0].time_ns[0] == 10'000'000'000);
  CHECK(fault_of([&] { load(lines); }).remedy.find("--year") != std::string::npos);
}

TEST_CASE("a request a line: how many are in flight, tokens when they end") {
  const LoadLog log = load(
      "{\"start_unix_s\": 100.0, \"end_unix_s\": 104.0, \"input_tokens\": 7, \"output_tokens\": 20}\n"
      "{\"start_unix_s\": 101.0, \"end_unix_s\": 103.5, \"prompt_tokens\": 5, \"completion_tokens\": 10}\n");
  CHECK(log.source.format == "requests-jsonl");
  CHECK(log.source.rows == 2);
  CHECK(log.engines.at(0).running == std::vector<double>{1, 2, 1, 0});
  CHECK(log.engines[0].prompt_tokens == std::vector<double>{7, 12, 12, 12});
  CHECK(log.engines[0].generation_tokens == std::vector<double>{0, 0, 10, 30});
  CHECK_THAT(fault_of([] { load("{\"start_unix_s\": 100.0, \"end_unix_s\": 99.0, \"input_tokens\": 7, \"output_tokens\": 20}\n"); }).what,
             Contains("expected an end behind the start"));
  CHECK_THAT(fault_of([] { load("{\"start_unix_s\": 100.0, \"end_unix_s\": 109.0, \"input_tokens\": 7}\n"); }).what,
             Contains("read no input_tokens") || Contains("output_tokens"));
}

TEST_CASE("MLPerf's meter: pairs of key and value, the order of its dates by the dates, or declared") {
  const ChassisLog log = chassis(
      "Time,28-12-2020 15:21:14.682,Watts,22.950000,Volts,228.570000,Amps,0.206430,PF,0.486400,Mark,run_testing\n"
      "Time,28-12-2020 15:21:15.686,Watts,23.080000,Volts,228.440000,Amps,0.207320,PF,0.487400,Mark,run_testing\nTime,28-12-2020 15:2",
      with([](PowerLogOptions& o) { o.timezone = "UTC"; }));
  CHECK(log.source.format == "ptd");
  REQUIRE(log.series.size() == 1);
  CHECK(log.series[0].watts == std::vector<double>{22.95, 23.08});
  CHECK(log.series[0].power_factor[1] == 0.4874);
  CHECK(log.series[0].time_ns[0] == 1609168874682000000);
  CHECK(log.marks.at(0).name == "run_testing");
  CHECK(log.source.dropped.at("torn last row") == 1);
  const std::string twofold = "Time,03-04-2026 15:21:14.682,Watts,22.95,Mark,a\n";
  CHECK(fault_of([&] { chassis(twofold); }).remedy.find("--date-order dmy") != std::string::npos);
  const auto at = [&](DateOrder order) {
    PowerLogOptions options = log_options();
    options.date_order = order;
    return chassis(twofold, options).series[0].time_ns[0];
  };
  constexpr std::int64_t day = 86400LL * 1'000'000'000;
  CHECK(at(DateOrder::dmy) - at(DateOrder::mdy) == 30 * day);  // 3 April and 4 March
}

TEST_CASE("ipmitool: fields by name, times in each of its ways, the host's time where scrapes carry one") {
  const auto reading = [](const std::string& time, const std::string& watts) {
    return "\n    Instantaneous power reading:                   " + watts +
           " Watts\n    Minimum during sampling period:                 12 Watts\n" +
           "    Average power reading over sample period:      216 Watts\n    IPMI timestamp:                           " + time +
           "\n    Sampling period:                          00000005 Seconds.\n    Power reading state is:                   activated\n\n";
  };
  const auto utc = with([](PowerLogOptions& o) { o.timezone = "UTC"; });
  const ChassisLog log = chassis(reading("Thu Feb 15 11:34:55 2018", "220") + reading("02/15/2018 11:35:00", "230") +
                                     reading("02/15/2018 11:35:05 AM", "240") + reading("02/15/2018 11:35:05 AM", "240"),
                                 utc);
  REQUIRE(log.series.size() == 1);
  CHECK(log.series[0].watts == std::vector<double>{220, 230, 240});
  CHECK(log.series[0].time_ns[2] - log.series[0].time_ns[0] == 10'000'000'000);
  CHECK(log.source.dropped.at("time not after the reading above") == 1);
  const ChassisLog evening = chassis(reading("09/03/2026 07:40:35 PM UTC", "220"));
  CHECK(evening.time_base == TimeBase::utc);
  CHECK(evening.series[0].time_ns[0] == 1788464435000000000);
  const ChassisLog scraped = chassis("# scrape 1772355600\n" + reading("Thu Feb 15 11:34:55 2018", "220") + "# scrape 1772355601\n" +
                                     reading("Thu Feb 15 11:34:55 2018", "221"));
  CHECK(scraped.series[0].time_ns == std::vector<std::int64_t>{1772355600000000000, 1772355601000000000});

  const ChassisLog sensors = chassis(
      "# scrape 1772355600\nPSU1 Power In    | 120 Watts         | ok\nTemp | 30 degrees C | ok\nPSU2 Power In | 77h | ok  | 10.2 | 122 Watts\n"
      "Pwr Consumption  | 322.000    | Watts      | ok    | na\n");
  REQUIRE(sensors.series.size() == 3);
  CHECK(sensors.series[1].watts[0] == 122);
  CHECK(sensors.series[2].label == "Pwr Consumption");
  REQUIRE(counted_series(sensors).size() == 1);  // the supplies are its parts
  CHECK(counted_series(sensors)[0]->label == "Pwr Consumption");
  CHECK(counted_series(chassis("# scrape 1772355600\nPSU1 Power In | 120 Watts | ok\nPSU2 Power In | 122 Watts | ok\n")).size() == 2);
}

TEST_CASE("a reading without a time beside readings with times is left out: it would lie in 1970") {
  const ChassisLog ipmi = chassis("Pwr | 300 Watts | ok\nPwr | 301 Watts | ok\n# scrape 1772355600\nPwr | 302 Watts | ok\n");
  CHECK(ipmi.series.at(0).watts == std::vector<double>{302});
  CHECK(ipmi.source.dropped.at("no time") == 2);
  const ChassisLog redfish = chassis(
      "{\"PowerWatts\": {\"Reading\": 300}}\n{\"time\": \"1772355600\", \"PowerWatts\": {\"Reading\": 301}}\n{\"PowerWatts\": {\"Reading\": 302}}\n");
  CHECK(redfish.series.at(0).watts == std::vector<double>{301});
  CHECK(redfish.source.dropped.at("no time") == 2);
  const LoadLog scraped = load("vllm:num_requests_running 1\n# scrape 1772355600\nvllm:num_requests_running 2\n");
  CHECK(scraped.engines.at(0).running == std::vector<double>{2});
  CHECK(scraped.source.dropped.at("no time") == 1);
  const LoadLog timed = load("vllm:num_requests_running 1 1772355600000\nvllm:num_requests_running 2\n");
  CHECK(timed.engines.at(0).running == std::vector<double>{1});
  CHECK(timed.source.dropped.at("no time") == 1);
}

TEST_CASE("Redfish: Power resources a line, EnvironmentMetrics, a MetricReport") {
  const ChassisLog lines = chassis(
      "{\"time\": \"1772355600.5\", \"PowerControl\": [{\"PowerConsumedWatts\": 344}], \"PowerSupplies\": [{\"PowerInputWatts\": 180}, "
      "{\"PowerInputWatts\": 181}]}\n"
      "{\"time\": \"1772355601.5\", \"PowerControl\": [{\"PowerConsumedWatts\": 346}], \"PowerSupplies\": [{\"PowerInputWatts\": 182}, "
      "{\"PowerInputWatts\": null}]}\n");
  REQUIRE(lines.series.size() == 3);
  CHECK(lines.series[0].watts == std::vector<double>{344, 346});
  CHECK(lines.series[2].watts == std::vector<double>{181});
  REQUIRE(counted_series(lines).size() == 1);  // 344 W, not 344 + 180 + 181
  CHECK(counted_series(lines)[0]->label == "PowerControl");
  CHECK(lines.time_base == TimeBase::utc);
  const ChassisLog single = chassis("{\n  \"PowerWatts\": {\n    \"Reading\": 374\n  }\n}\n");
  CHECK(single.series[0].watts == std::vector<double>{374});
  CHECK(single.time_base == TimeBase::numbered);
  const ChassisLog report = chassis(
      R"({"MetricValues": [{"MetricId": "p", "MetricValue": "351", "Timestamp": "2026-03-01T09:00:01Z", "MetricProperty": "/redfish/v1/Chassis/1/Power#/PowerControl/0/PowerConsumedWatts"},)"
      R"({"MetricId": "p", "MetricValue": "350", "Timestamp": "2026-03-01T09:00:00Z", "MetricProperty": "/redfish/v1/Chassis/1/Power#/PowerControl/0/PowerConsumedWatts"},)"
      R"({"MetricId": "t", "MetricValue": "30", "Timestamp": "2026-03-01T09:00:00Z", "MetricProperty": "/redfish/v1/Chassis/1/Thermal#/Temperatures/0"}]})");
  REQUIRE(report.series.size() == 1);
  CHECK(report.series[0].watts == std::vector<double>{350, 351});
  CHECK_THAT(fault_of([] { chassis("{\"PowerControl\": [{\"Name\": 7}]}\n"); }).what, Contains("PowerConsumedWatts"));
  const std::string good = "{\"time\": \"1772355600\", \"PowerWatts\": {\"Reading\": 300}}\n";
  for (const std::string bad : {"curl: (28) timed out\n", "{\"error\": {}}\n", "{\"time\": \"1772355601\", \"PowerWatts\": {\"Reading\": -1}}\n"}) {
    CHECK_THAT(fault_of([&] { chassis(good + bad); }).remedy, Contains("--skip-bad 1"));
    const ChassisLog log = chassis(good + bad, with([](PowerLogOptions& o) { o.skip_bad = 1; }));
    CHECK(log.series.at(0).watts == std::vector<double>{300});
    CHECK(log.source.dropped.at("no row") == 1);
  }
}

TEST_CASE("of a MetricReport the watts that are drawn count, not capacities, limits or factors") {
  const auto metric = [](const std::string& property, const std::string& value) {
    return R"({"MetricValue": ")" + value + R"(", "Timestamp": "2026-03-01T09:00:00Z", "MetricProperty": "/redfish/v1/Chassis/1/)" + property + "\"}";
  };
  const ChassisLog log = chassis(
      "{\"MetricValues\": [" + metric("Power#/PowerControl/0/PowerConsumedWatts", "344") + ", " +
      metric("Power#/PowerControl/0/PowerCapacityWatts", "2000") + ", " + metric("PowerSubsystem/PowerSupplies/0/Metrics#/PowerFactor", "0.9") +
      ", " + metric("Power#/PowerSupplies/0/PowerInputWatts", "180") + ", " + metric("EnvironmentMetrics#/PowerWatts/Reading", "343") + "]}");
  REQUIRE(log.series.size() == 3);
  REQUIRE(counted_series(log).size() == 1);
  CHECK(counted_series(log)[0]->watts == std::vector<double>{344});
  CHECK_THAT(fault_of([&] { chassis("{\"MetricValues\": [" + metric("Power#/PowerControl/0/PowerConsumedWatts", "-5") + "]}"); }).what,
             Contains("is -5, expected watts"));
}
