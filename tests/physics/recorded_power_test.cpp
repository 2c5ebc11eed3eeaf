// A recorded run's power beside its simulation: a log made of the simulation itself lies on it, wherever the run begins in the log.
#include "study/recorded_power.hpp"

#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "base/error.hpp"
#include "scenario/load.hpp"
#include "scenario/simulate.hpp"

using namespace joulecast;

namespace {

scenario::Scenario small_run() {
  namespace fs = std::filesystem;
  const fs::path path = fs::temp_directory_path() / ("joulecast-recorded-" + std::to_string(getpid()) + ".toml");
  std::ofstream(path) << R"(schema = 1
[time]
duration = "60 s"
bin = "100 ms"
[site.here]
pue = 1.25
[pool.chat]
node = "dgx-h100"
model = "meta-llama/Llama-3.1-70B"
tensor_parallel_size = 8
replicas = 1
[traffic.chat]
requests = "azure-2023-conv"
request_rate = "0.7 /s"
length_prediction = "mean"
)";
  struct Remove {
    fs::path path;
    ~Remove() { fs::remove(path); }
  } const remove{path};
  return scenario::load(path.string(), {{}, {}, "."});
}

/// The log of a run that begins 7.3 s after the first sample, watts scaled by `factor`.
traces::PowerLog log_of(const scenario::Scenario& scenario, const calibration::SensorModel& sensor, double factor) {
  const auto result = scenario::simulate(scenario, {});
  constexpr std::int64_t kBegin = 7'300'000'000;
  std::vector<std::int64_t> times = {0};
  std::vector<double> watts = {122};
  std::size_t i = 0;
  for (const float w : result.energy.watts[static_cast<std::size_t>(metering::Boundary::gpu)]) {
    times.push_back(kBegin + static_cast<std::int64_t>(i++) * 100'000'000);
    watts.push_back(factor * static_cast<double>(w) / 8);
  }
  traces::PowerLog log;
  for (int gpu = 0; gpu < 8; ++gpu) {
    traces::GpuSeries& series = log.gpus.emplace_back();
    series.index = std::to_string(gpu);
    for (std::int64_t t = 0; t <= times.back() + 5'000'000'000; t += 50'000'000) series.time_ns.push_back(t);
    series.power.push_back({traces::PowerKind::average, "power_average_w", sensor.readings({times, watts}, series.time_ns, 0), 0});
  }
  return log;
}

}  // namespace

TEST_CASE("a run's own power seen through a second's window lies on its simulation through the same sensor") {
  const scenario::Scenario scenario = small_run();
  const auto log = log_of(scenario, {0.1, 1, 1, 0, 0}, 1);
  calibration::SensorStatement stated;
  stated.window = 1;
  const study::PowerReplay replay = study::replay_power(scenario, log, stated, {}, 20);
  CHECK(replay.gpus == 8);
  CHECK(replay.offset.seconds == Approx(7.3).margin(0.11));
  CHECK(std::abs(replay.mean_error) < 0.005);
  CHECK(replay.correlation > 0.995);
  CHECK(replay.moments.size() > 590);
}

TEST_CASE("a board that draws a tenth more than its profile shows it, and another number of GPUs is refused") {
  const scenario::Scenario scenario = small_run();
  auto log = log_of(scenario, {0.1, 0.025, 1, 0, 0}, 1.1);
  const study::PowerReplay replay = study::replay_power(scenario, log, {}, 7.3, 20);
  CHECK(replay.mean_error == Approx(1 / 1.1 - 1).margin(0.01));
  log.gpus.pop_back();
  CHECK_THROWS_AS(study::replay_power(scenario, log, {}, 7.3, 20), UserError);
}

TEST_CASE("a GPU that is lost in mid-run ends the comparison there, and one that comes late begins it") {
  const scenario::Scenario scenario = small_run();
  auto log = log_of(scenario, {0.1, 0.025, 1, 0, 0}, 1);
  const study::PowerReplay whole = study::replay_power(scenario, log, {}, 7.3, 20);
  const auto keep = [](traces::GpuSeries& gpu, std::int64_t from, std::int64_t to) {
    traces::GpuSeries kept = gpu;
    kept.time_ns.clear();
    kept.power[0].watts.clear();
    for (std::size_t i = 0; i < gpu.time_ns.size(); ++i) {
      if (gpu.time_ns[i] < from || gpu.time_ns[i] > to) continue;
      kept.time_ns.push_back(gpu.time_ns[i]);
      kept.power[0].watts.push_back(gpu.power[0].watts[i]);
    }
    gpu = kept;
  };
  keep(log.gpus[3], 0, 37'300'000'000);
  keep(log.gpus[5], 17'300'000'000, 100'000'000'000);
  const study::PowerReplay cut = study::replay_power(scenario, log, {}, 7.3, 20);
  REQUIRE(cut.moments.size() == 201);
  CHECK(cut.moments.front().seconds == Approx(10));
  CHECK(cut.moments.back().seconds == Approx(30));
  for (const study::PowerMoment& moment : cut.moments) {
    const auto same = std::find_if(whole.moments.begin(), whole.moments.end(), [&](const auto& m) { return m.seconds == moment.seconds; });
    REQUIRE(same != whole.moments.end());
    CHECK(moment.measured == Approx(same->measured));
  }
  REQUIRE_FALSE(cut.notes.empty());
  CHECK_THAT(cut.notes.front(), Catch::Contains("from 17.3 s to 37.3 s"));
  CHECK(whole.notes.size() == 1);
}

TEST_CASE("where the log does not move with its simulation the run's beginning must be stated") {
  const scenario::Scenario scenario = small_run();
  auto log = log_of(scenario, {0.1, 0.025, 1, 0, 0}, 1);
  for (traces::GpuSeries& gpu : log.gpus) std::fill(gpu.power[0].watts.begin(), gpu.power[0].watts.end(), 300.0);
  CHECK_THROWS_WITH(study::replay_power(scenario, log, {}, {}, 20), Catch::Contains("--offset"));
  CHECK(study::replay_power(scenario, log, {}, 7.3, 20).moments.size() > 590);
}
