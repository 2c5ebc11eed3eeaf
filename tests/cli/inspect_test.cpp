// `joulecast calibrate inspect`: what a person sees of a log, what is refused and how.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "cli/program.hpp"

using namespace joulecast::test;
using Catch::Contains;
using Catch::StartsWith;

namespace {

Ended inspect(const std::string& log, std::vector<std::string> more = {}) {
  std::vector<std::string> words = {"calibrate", "inspect", log};
  words.insert(words.end(), more.begin(), more.end());
  return run_joulecast(words);
}

}  // namespace

TEST_CASE("inspect says what is in a power log, what is wrong with it and what can be learnt") {
  const Scratch scratch;
  const std::string log = scratch.write("a.csv",
                                        "timestamp, index, name, power.draw.instant [W], total_energy_consumption [mJ]\n"
                                        "2026/03/01 09:00:00.000, 0, Card A, 65.00 W, 1000000\n2026/03/01 09:00:00.000, 1, Card B, [N/A], [N/A]\n"
                                        "2026/03/01 09:00:05.000, 0, Card A, 65.40 W, 1187400\n2026/03/01 09:00:05.000, 1, Card B, [N/A], [N/A]\n20");
  const Ended text = inspect(log, {"--timezone", "Europe/Berlin"});
  CHECK(text.code == 0);
  CHECK_THAT(text.out, Contains("nvidia-smi, 4 rows, 1 left out (torn last row)") && Contains("2026-03-01 08:00:00 UTC") && Contains("-42.3 %") &&
                           Contains("power.draw.instant") && Contains("can be learnt"));
  CHECK_THAT(text.err, Contains("GPU 1 is left out: no power sensor") && Contains("-42.3 %"));

  const auto json = nlohmann::json::parse(inspect(log, {"--timezone", "Europe/Berlin", "--json"}).out);
  CHECK(json["kind"] == "power");
  CHECK(json["begin_unix_s"] == 1772352000.0);
  CHECK(json["gpus"][0]["energy_counter"]["counter_j"].get<double>() == Approx(187.4));
  CHECK(json["gpus"][0]["energy_counter"]["power_j"].get<double>() == Approx(325));
  CHECK(json["gpus"][0]["power"][0]["kind"] == "instant");
  CHECK(json["absent"][0]["gpu"] == "1");
  CHECK(json["source"]["dropped"]["torn last row"] == 1);
  CHECK(json["source"]["sha256"].get<std::string>().size() == 64);
  CHECK_THAT(inspect(log).out, Contains("by a clock of an unknown zone"));
}

TEST_CASE("inspect tells logs of load and of a chassis by their look") {
  const Scratch scratch;
  const std::string load = scratch.write(
      "m.txt", "# scrape 100.0\nvllm:num_requests_running{engine=\"0\"} 4\n# scrape 102.0\nvllm:num_requests_running{engine=\"0\"} 6\n");
  CHECK_THAT(inspect(load).out, Contains("a log of load") && Contains("vllm-metrics, 2 rows"));
  CHECK(nlohmann::json::parse(inspect(load, {"--json"}).out)["engines"][0]["mean_running"] == 4.0);
  const std::string chassis = scratch.write("spl.txt", "Time,28-12-2020 15:21:14.000,Watts,22.0\nTime,28-12-2020 15:21:16.000,Watts,24.0\n");
  CHECK_THAT(inspect(chassis, {"--timezone", "UTC"}).out, Contains("a log of a chassis") && Contains("44.0 J"));
}

TEST_CASE("inspect takes what a log does not say from its options") {
  const Scratch scratch;
  const std::string bare = scratch.write("bare.csv", "power.draw [W]\n71.2 W\n302.9 W\n72.2 W\n303.9 W\n");
  const Ended parted = inspect(bare, {"--gpu-count", "2", "--period", "500 ms", "--json"});
  CHECK(parted.code == 0);
  const auto json = nlohmann::json::parse(parted.out);
  CHECK(json["gpus"].size() == 2);
  CHECK(json["gpus"][1]["power"][0]["energy_j"].get<double>() == Approx(151.45));
  const std::string plain = scratch.write("plain.csv", "when,board\n0.5,65000\n1.5,66000\n");
  CHECK(inspect(plain, {"--map", "time=when:s", "--map", "power=board:mW"}).code == 0);
}

TEST_CASE("inspect refuses a log by the line and its remedy, and exits 2") {
  struct Mistake {
    std::string text;
    std::vector<std::string> options;
    std::string what, remedy;
  };
  const std::string header = "timestamp, index, power.draw [W]\n";
  const std::vector<Mistake> mistakes = {
      {"", {}, "the file is empty", "again"},
      {"power.draw [W]\n71.2 W\n302.9 W\n", {}, "2 samples with no gpu column", "--gpu-count 2"},
      {header + "Unable to determine the device handle\n", {}, ":2:1", "--skip-bad 1"},
      {header + "2026/03/01 09:00:00.000, 0, 0.00 W\n", {}, "no live GPU", "take the log again"},
      {header + "2026/03/01 09:00:00.000, 0, 181000\n", {}, "looks like mW", "[mW]"},
      {header + "2026/03/29 02:30:00.000, 0, 181\n", {"--timezone", "Europe/Berlin"}, "does not exist", "--timezone"},
      {header, {"--timezone", "Berlin"}, "no time zone \"Berlin\"", "IANA"},
      {"timestamp,gpu,socket_power\n1,0,N/A\n", {}, "amd-smi", "--map"},
      {"a,b\n", {"--map", "pwer=b:W"}, "--map \"pwer=b:W\" names no quantity", "power"},
      {"a,b\n", {"--period", "soon"}, "--period \"soon\"", "250 ms"},
      {"a,b\n", {"--format", "nvidiasmi"}, "no format of power logs", "nvidia-smi"},
  };
  for (const Mistake& mistake : mistakes) {
    const Scratch scratch;
    const Ended ended = inspect(scratch.write("log.csv", mistake.text), mistake.options);
    CAPTURE(mistake.text, mistake.options, ended.err);
    CHECK(ended.code == 2);
    CHECK(ended.out.empty());
    CHECK_THAT(ended.err, StartsWith("error: ") && Contains(mistake.what) && Contains(mistake.remedy));
  }
  CHECK_THAT(inspect("/no/such/log.csv").err, Contains("there is no file"));
}
