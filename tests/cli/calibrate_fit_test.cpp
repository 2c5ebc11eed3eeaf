// `joulecast calibrate fit`: the folder it makes, what it says of the log, and what it refuses.
#include <catch2/catch.hpp>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/program.hpp"

using namespace joulecast::test;
using Catch::Contains;
using Catch::StartsWith;

namespace {

std::string sweep() { return (source() / "docs/examples/clock-sweep.csv").string(); }

/// 40 s of a GPU in nvidia-smi's format, at 60 W and from 20 s on at 300 W, without marks.
std::string smi_text() {
  std::string text = "timestamp, index, utilization.gpu [%], memory.used [MiB], power.draw [W]\n";
  for (int i = 0; i < 400; ++i) {
    const int seconds = i / 10;
    char line[120];
    std::snprintf(line, sizeof line, "2026/03/02 10:00:%02d.%03d, 0, %d %%, %d MiB, %.2f W\n", seconds, 100 * (i % 10), seconds < 20 ? 0 : 100,
                  seconds < 20 ? 4 : 70000, seconds < 20 ? 60 + 0.1 * (i % 3) : 300 + 0.1 * (i % 7));
    text += line;
  }
  return text;
}

/// Two GPUs of a replica, half a minute at each of four batches, as `joulecast record` writes it.
std::string batches_text() {
  std::string text = "# format: joulecast-record 1\ntime_unix_s,gpu,uuid,power_instant_w,mark\n";
  for (int i = 0; i < 1200; ++i) {
    const int batch = 8 << i / 300;
    for (int gpu = 0; gpu < 2; ++gpu) {
      char line[120];
      std::snprintf(line, sizeof line, "%.1f,%d,GPU-%d,%.2f,batch=%d step_s=%.4f\n", 1772445600 + 0.1 * i, gpu, gpu,
                    250 + 3.0 * batch + 0.01 * (i % 3) + 10 * gpu, batch, 0.01 + 0.0001 * batch);
      text += line;
    }
  }
  return text;
}

}  // namespace

TEST_CASE("calibrate fit writes the batches of a named model as measured steps, and says what stays in the report") {
  const Scratch scratch;
  const std::string log = scratch.write("batches.csv", batches_text());
  const auto fit = [&](const char* out, std::vector<std::string> more) {
    more.insert(more.begin(), {"calibrate", "fit", log, "--base", "H100 SXM", "--name", "mine", "--out", (scratch.path() / out).string()});
    return run_joulecast(more);
  };
  const Ended named =
      fit("named", {"--model", "meta-llama/Llama-3.1-8B", "--engine", "vLLM 0.11.0", "--prompt-tokens", "400", "--output-tokens", "700"});
  CAPTURE(named.err);
  REQUIRE(named.code == 0);
  CHECK_THAT(named.out, Contains("measured.toml: 4 batches of meta-llama/Llama-3.1-8B on 2 GPUs"));
  CHECK_THAT(named.err, !Contains("stay in report.json"));
  const std::string steps = read_text(scratch.path() / "named/measured.toml");
  CHECK_THAT(steps, Contains("gpu = \"mine\"\ntensor_parallel_size = 2\n") && Contains("vLLM 0.11.0, batches.csv (sha256 "));
  CHECK_THAT(steps, Contains("{ batch = 8.0, step_time = \"10.8 ms\", watts = \"558.0"));
  CHECK(nlohmann::json::parse(read_text(scratch.path() / "named/report.json"))["measured_steps"]["batches"] == 4);

  const Ended unnamed = fit("unnamed", {});
  REQUIRE(unnamed.code == 0);
  CHECK_THAT(unnamed.err, Contains("step time and watts against batch stay in report.json: --model"));
  CHECK_FALSE(std::filesystem::exists(scratch.path() / "unnamed/measured.toml"));

  const Ended faulty = fit("faulty", {"--model", "meta-llama/Llama-3.1-8B", "--prompt-tokens", "many"});
  CHECK(faulty.code == 2);
  CHECK_THAT(faulty.err, Contains("--prompt-tokens \"many\"") && Contains("--model without --output-tokens"));
  CHECK_THAT(fit("engine", {"--engine", "vLLM"}).err, Contains("are of a --model"));
}

TEST_CASE("calibrate fit takes Zeus's windows under power limits: the time under a limit, in the report") {
  const Scratch scratch;
  std::string text = "start_time,window_name,elapsed_time,gpu0_energy\n";
  const double seconds[] = {10.2, 10.4, 10.9, 12.0, 14.4, 20.0, 36.0};
  for (int i = 0; i < 7; ++i) {
    const int limit = 250 - 25 * i;
    text += std::to_string(100 + 50 * i) + ".5,__GlobalPowerLimitOptimizer_" + std::to_string(limit) + "," + std::to_string(seconds[i]) + "," +
            std::to_string(0.95 * limit * seconds[i]) + "\n";
  }
  const Ended ended = run_joulecast(
      {"calibrate", "fit", scratch.write("zeus.csv", text), "--base", "A40", "--name", "z", "--out", (scratch.path() / "z").string(), "--json"});
  CAPTURE(ended.err);
  REQUIRE(ended.code == 0);
  const auto report = nlohmann::json::parse(ended.out);
  CHECK(report["cap"]["valid_w"] == nlohmann::json({100.0, 250.0}));
  CHECK_FALSE(report.contains("sensor"));
  CHECK_THAT(ended.err, Contains("time under a power limit stays in report.json"));
  CHECK_THAT(read_text(scratch.path() / "z/points.csv"), Contains("time_against_limit,100,W,36,"));
}

TEST_CASE("calibrate fit says so where a log gives nothing") {
  const Scratch scratch;
  std::string text = "timestamp, power.draw [W]\n";
  for (int i = 0; i < 400; ++i) {
    char line[80];
    std::snprintf(line, sizeof line, "2026/03/02 10:00:%02d.%03d, %.2f W\n", i / 10, 100 * (i % 10), 300 + 0.1 * (i % 7));
    text += line;
  }
  const Ended ended = run_joulecast(
      {"calibrate", "fit", scratch.write("smi.csv", text), "--base", "A100 SXM 80", "--name", "m", "--out", (scratch.path() / "m").string()});
  REQUIRE(ended.code == 0);
  CHECK_THAT(ended.out, StartsWith("nothing could be fitted"));
  CHECK_THAT(ended.err, Contains("does not show without utilisation and memory used") && Contains("no locked clock of the same work"));
}

TEST_CASE("calibrate fit writes a profile, a report and points, and says what the log did not give") {
  const Scratch scratch;
  const std::string out = (scratch.path() / "mine").string();
  const Ended ended = run_joulecast({"calibrate", "fit", sweep(), "--base", "H100 SXM", "--name", "my H100", "--out", out});
  CAPTURE(ended.err);
  REQUIRE(ended.code == 0);
  CHECK_THAT(ended.out, Contains("bare idle") && Contains("power against clock") && Contains("gpu.toml"));
  CHECK_THAT(ended.err, Contains("not given: spin-wait") && Contains("averaging window") && Contains("within 5 %"));
  const auto report = nlohmann::json::parse(read_text(scratch.path() / "mine/report.json"));
  CHECK(report["floors"]["bare"]["watts"].get<double>() == Approx(74).margin(2));
  CHECK(report["floors"]["context"]["watts"].get<double>() == Approx(126).margin(2));
  CHECK(report["clock"]["power"]["knee"].get<double>() == Approx(0.72).margin(0.02));
  CHECK(report["clock"]["power_quality"]["held_out_error"]["p80"].get<double>() < 0.01);
  CHECK(report["log"]["sha256"].get<std::string>().size() == 64);
  CHECK(report["log"]["driver"] == "590.48.01");
  CHECK_THAT(read_text(scratch.path() / "mine/points.csv"), StartsWith("curve,x,x_unit") && Contains("power_against_clock,1980000000,Hz,"));
  // Another fit does not overwrite it.
  const Ended again = run_joulecast({"calibrate", "fit", sweep(), "--base", "H100 SXM", "--name", "my H100", "--out", out});
  CHECK(again.code == 2);
}

TEST_CASE("calibrate fit takes a plain nvidia-smi log: floors alone, a partial profile") {
  const Scratch scratch;
  const std::string log = scratch.write("smi.csv", smi_text());
  const std::string out = (scratch.path() / "mine").string();
  const Ended ended = run_joulecast({"calibrate", "fit", log, "--base", "A100 SXM 80", "--name", "mine", "--out", out, "--json"});
  CAPTURE(ended.err);
  REQUIRE(ended.code == 0);
  const auto report = nlohmann::json::parse(ended.out);
  CHECK(report["floors"]["bare"]["watts"].get<double>() == Approx(60.1).margin(0.5));
  CHECK_FALSE(report.contains("clock"));
  CHECK_THAT(read_text(scratch.path() / "mine/gpu.toml"), Contains("[idle]") && !Contains("[power_split]") && Contains("clock-sweep"));
}

TEST_CASE("calibrate fit holds a GPU against another meter and takes its gain") {
  const Scratch scratch;
  // The meter reads 1/0.95 of the log's watts: phases as in the log, a value a second.
  std::string meter = "time_unix_s,watts\n";
  std::istringstream rows(read_text(sweep()));
  std::string line;
  int row = 0;
  while (std::getline(rows, line)) {
    if (line.empty() || line.front() == '#' || line.starts_with("time_unix_s")) continue;
    const std::string time = line.substr(0, line.find(','));
    std::size_t at = 0;
    for (int i = 0; i < 4; ++i) at = line.find(',', at) + 1;
    meter += time + "," + std::to_string(std::stod(line.substr(at)) / 0.95) + "\n";
    ++row;
  }
  REQUIRE(row > 1000);
  const Ended ended = run_joulecast({"calibrate", "fit", sweep(), "--base", "H100 SXM", "--name", "m", "--out", (scratch.path() / "m").string(),
                                     "--meter", scratch.write("meter.csv", meter), "--json"});
  CAPTURE(ended.err);
  REQUIRE(ended.code == 0);
  const auto report = nlohmann::json::parse(ended.out);
  CHECK(report["meter"]["gain"].get<double>() == Approx(0.95).epsilon(0.01));
  CHECK(report["meter"]["error_as_read"].get<double>() == Approx(-0.05).margin(0.005));
  CHECK(report["floors"]["bare"]["watts"].get<double>() == Approx(74 / 0.95).margin(2));
}

TEST_CASE("calibrate fit takes the sensor's gain and offset from the GPUs that it lays beside a chassis") {
  const Scratch scratch;
  const auto fitted = [&](const std::string& name, double gain, double offset, int seconds, const std::vector<std::string>& more) {
    std::string log = "# format: joulecast-record 1\ntime_unix_s,gpu,uuid,power_instant_w,mark\n", chassis = "time_unix_s,watts\n";
    for (int t = 0; t < seconds; ++t) {
      const double watts = t < seconds / 2 ? 100 + 0.1 * (t % 3) : 500 + 10 * (t / 30) + 0.1 * (t % 3);
      char line[120];
      for (int gpu = 0; gpu < 8; ++gpu) {
        std::snprintf(line, sizeof line, "%d,%d,GPU-%d,%.4f,%s\n", 1772445600 + t, gpu, gpu, gain * watts + offset,
                      t < seconds / 2 ? "bare-idle" : "work=a");
        log += line;
      }
      std::snprintf(line, sizeof line, "%d,%.3f\n", 1772445600 + t, 1900 + 1.2 * 8 * watts);
      chassis += line;
    }
    std::vector<std::string> words = {"calibrate",
                                      "fit",
                                      scratch.write(name + ".csv", log),
                                      "--chassis",
                                      scratch.write(name + "-ac.csv", chassis),
                                      "--node",
                                      "dgx-h100",
                                      "--base",
                                      "H100 SXM",
                                      "--name",
                                      "m",
                                      "--out",
                                      (scratch.path() / name).string(),
                                      "--json"};
    words.insert(words.end(), more.begin(), more.end());
    const Ended ended = run_joulecast(words);
    CAPTURE(ended.err);
    REQUIRE(ended.code == 0);
    return nlohmann::json::parse(ended.out);
  };
  const auto straight = fitted("straight", 1, 0, 400, {}), shown = fitted("shown", 0.9, 5, 400, {"--sensor", "gain=0.9", "--sensor", "offset=5"});
  REQUIRE(straight["chassis"]["figures"].size() == 2);
  for (int i = 0; i < 2; ++i) {
    CHECK(shown["chassis"]["figures"][i]["value"].get<double>() == Approx(straight["chassis"]["figures"][i]["value"].get<double>()).epsilon(1e-4));
  }
  // Too short for a chassis: the GPU's profile is written all the same, and says so.
  const auto brief = fitted("brief", 1, 0, 200, {});
  CHECK_FALSE(brief.contains("chassis"));
  CHECK(brief["floors"]["bare"]["watts"].get<double>() == Approx(100.1).margin(0.5));
  CHECK_THAT(read_text(scratch.path() / "brief/gpu.toml"), Contains("not given: host and fans of the chassis"));
  CHECK_FALSE(std::filesystem::exists(scratch.path() / "brief/node.toml"));
}

TEST_CASE("calibrate fit is of one engine: a second --replica is refused by name") {
  const Scratch scratch;
  const Ended two = run_joulecast({"calibrate", "fit", sweep(), "--base", "H100 SXM", "--name", "m", "--out", (scratch.path() / "m").string(),
                                   "--replica", "r0=0", "--replica", "r1=1"});
  CHECK(two.code == 2);
  CHECK_THAT(two.err, Contains("--replica \"r1=1\" is a second one") && Contains("fit each engine by itself"));
}

TEST_CASE("calibrate fit names every fault of its options at once, and exits 2") {
  const Ended none = run_joulecast({"calibrate", "fit", sweep(), "--sensor", "windw=1", "--power", "wall", "--replica", "r0", "--chassis", "x.csv"});
  CHECK(none.code == 2);
  for (const char* what : {"--base", "--name", "--out", "windw=1", "\"wall\"", "\"r0\"", "--node"}) CHECK_THAT(none.err, Contains(what));
  const Scratch scratch;
  const Ended gone =
      run_joulecast({"calibrate", "fit", "/no/such.csv", "--base", "H100 SXM", "--name", "m", "--out", (scratch.path() / "m").string()});
  CHECK(gone.code == 2);
  CHECK_THAT(gone.err, Contains("/no/such.csv"));
  CHECK_FALSE(std::filesystem::exists(scratch.path() / "m"));
}
