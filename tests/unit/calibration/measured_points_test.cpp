// Batches of a log as a file of measured steps: what is in it, and what is refused.
#include "calibration/measured_points.hpp"

#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <limits>

#include "calibration/window_caps.hpp"
#include "hardware/measured_steps.hpp"

using namespace joulecast;
using namespace joulecast::calibration;
using Catch::Contains;

namespace {

MeasuredRun run_of(int gpus) { return {"meta-llama/Llama-3.1-8B", "mine", "vLLM 0.11.0", "log.csv", gpus, 400, 700, Hertz(1.98e9)}; }

LogFit fit_of(std::vector<BatchPoint> points, double lock_hertz = 0) {
  LogFit fit;
  fit.batch_points = std::move(points);
  fit.batch_lock = Hertz(lock_hertz);
  return fit;
}

}  // namespace

TEST_CASE("measured steps hold the replica's watts, rising batches, and batches that round alike once") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto points = measured_points(run_of(2), fit_of({{64, 0.02, 500}, {32, nan, 400}, {7.8, 0.010, 300}, {8.2, 0.012, 320}}));
  CHECK_FALSE(points.refused);
  CHECK(points.batches == 2);
  CHECK_THAT(points.text, Contains("model = \"meta-llama/Llama-3.1-8B\"\ngpu = \"mine\"\ntensor_parallel_size = 2\n"));
  CHECK_THAT(points.text, Contains("joulecast calibrate fit: vLLM 0.11.0, log.csv"));
  CHECK_THAT(points.text,
             Contains("  { batch = 8.0, step_time = \"11 ms\", watts = \"620 W\", prompt_tokens = 400.0, output_tokens = 700.0 },\n"
                      "  { batch = 64.0, step_time = \"20 ms\", watts = \"1000 W\", prompt_tokens = 400.0, output_tokens = 700.0 },\n]\n"));
}

TEST_CASE("what is written is what a pool reads") {
  const auto path = std::filesystem::temp_directory_path() / ("joulecast-measured-points-" + std::to_string(getpid()) + ".toml");
  std::ofstream(path) << measured_points(run_of(4), fit_of({{64, 0.02, 500}, {8, 0.01, 300}})).text;
  config::Diagnostics diagnostics;
  const auto steps = hardware::load_measured_steps(path.string(), diagnostics);
  std::filesystem::remove(path);
  diagnostics.throw_if_failed();
  CHECK(steps.model == "meta-llama/Llama-3.1-8B");
  CHECK(steps.gpu == "mine");
  CHECK(steps.tensor_parallel_size == 4);
  REQUIRE(steps.points.size() == 2);
  CHECK(steps.points[1].batch == 64);
  CHECK(steps.points[1].step_time.si() == Approx(0.02));
  CHECK(steps.points[1].watts.si() == Approx(2000));
  CHECK(steps.points[1].prompt_tokens == 400);
  CHECK(steps.points[1].output_tokens == 700);
}

TEST_CASE("measured steps are refused without a step time, and off the reference clock") {
  const auto none = measured_points(run_of(1), fit_of({{8, std::numeric_limits<double>::quiet_NaN(), 300}}));
  REQUIRE(none.refused);
  CHECK(none.text.empty());
  const auto locked = measured_points(run_of(1), fit_of({{8, 0.01, 300}}, 1.41e9));
  REQUIRE(locked.refused);
  CHECK_THAT(locked.refused->why, Contains("1410 MHz") && Contains("1980 MHz"));
  CHECK_FALSE(measured_points(run_of(1), fit_of({{8, 0.01, 300}}, 1.98e9)).refused);
}

TEST_CASE("windows that are named by their limit are points of the cap curve") {
  traces::PowerLog log;
  for (const auto& [name, seconds] : {std::pair{"__GlobalPowerLimitOptimizer_300", 10.0},
                                      {"__GlobalPowerLimitOptimizer_150", 17.0},
                                      {"__GlobalPowerLimitOptimizer_300", 12.0},
                                      {"__GlobalPowerLimitOptimizer_", 1.0},
                                      {"epoch", 100.0}}) {
    log.windows.push_back({name, std::nullopt, seconds, {1}});
  }
  const auto points = cap_points_of_windows(log);
  REQUIRE(points.size() == 2);
  CHECK(points[0].limit.si() == 150);
  CHECK(points[0].seconds == 17);
  CHECK(points[1].seconds == 11);
}
