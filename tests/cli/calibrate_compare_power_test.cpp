// `joulecast calibrate compare` of a recorded power log: the folder's scenario is simulated and laid beside it.
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "cli/program.hpp"

using namespace joulecast::test;
using Catch::Contains;
using Catch::StartsWith;

namespace {

/// A node whose model nobody asks: 8 H100 at context idle for 20 s, and its log, 10 % above the profile's 122 W.
void write_run(const Scratch& scratch, int gpus) {
  scratch.write("scenario.toml", R"(schema = 1
[time]
duration = "20 s"
[site.here]
pue = 1.25
[pool.chat]
node = "dgx-h100"
model = "meta-llama/Llama-3.1-8B-Instruct"
tensor_parallel_size = 1
replicas = 8
)");
  std::string log =
      "# format: joulecast-record 1\n"
      "time_unix_s,gpu,uuid,power_average_w,power_instant_w,energy_j,sm_clock_hz,memory_clock_hz,utilization,temperature_c,power_limit_w,"
      "throttle_reasons,memory_used_bytes,mark\n";
  for (int i = 0; i < 210; ++i) {
    for (int gpu = 0; gpu < gpus; ++gpu) {
      log += fmt::format("{:.1f},{},GPU-{},,{:.2f},,1980000000,,0,,,,,\n", 1772445600 + 0.1 * i, gpu, gpu, 134.2 + 0.01 * (i % 2));
    }
  }
  scratch.write("power.csv", log);
}

}  // namespace

TEST_CASE("a power log is laid beside its simulation, and the moments are written") {
  const Scratch scratch;
  write_run(scratch, 8);
  const std::string folder = scratch.path().string(), csv = (scratch.path() / "moments.csv").string();
  const Ended ended = run_joulecast({"calibrate", "compare", folder, "--offset", "0 s", "--csv", csv, "--json"});
  CAPTURE(ended.err);
  REQUIRE(ended.code == 0);
  const auto json = nlohmann::json::parse(ended.out);
  CHECK(json["gpus"] == 8);
  CHECK(json["joules"]["error"].get<double>() == Approx(122 / 134.205 - 1).margin(2e-3));
  CHECK_THAT(read_text(csv), StartsWith("seconds,measured_w,simulated_w,error_w\n0,"));
  const Ended shown = run_joulecast({"calibrate", "compare", folder, "--offset", "0"});
  CHECK_THAT(shown.out, Contains("energy") && Contains("-9.1 %") && Contains("8 GPUs"));
}

TEST_CASE("a power log of other GPUs than the scenario's, or options that say nothing, are refused") {
  const Scratch scratch;
  write_run(scratch, 4);
  const Ended few = run_joulecast({"calibrate", "compare", scratch.path().string(), "--offset", "0"});
  CHECK(few.code == 2);
  CHECK_THAT(few.err, Contains("power of 4 GPUs") && Contains("8"));
  const Ended words = run_joulecast({"calibrate", "compare", scratch.path().string(), "--offset", "soon", "--sensor", "gain=0"});
  CHECK(words.code == 2);
  CHECK_THAT(words.err, Contains("soon") && Contains("gain=0"));
  const Ended others = run_joulecast({"calibrate", "compare", scratch.path().string(), "--gpu-name", "x", "--node", "y", "--layers", "z"});
  CHECK(others.code == 2);
  CHECK_THAT(others.err, Contains("--gpu-name says nothing of a power log") && Contains("--node says") && Contains("--layers says"));
  // A log as steady as its simulation shows nowhere where the run begins.
  const Ended steady = run_joulecast({"calibrate", "compare", scratch.path().string()});
  CHECK(steady.code == 2);
}
