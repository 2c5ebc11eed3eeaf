// A run is simulated, its power goes through a sensor into a log, and a calibration on that log gives the simulated GPU's figures back.
#include <fmt/format.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "calibration/log_fit.hpp"
#include "calibration/log_profile.hpp"
#include "hardware/profiles.hpp"
#include "scenario/load.hpp"
#include "scenario/simulate.hpp"
#include "traces/power/open_log.hpp"

using namespace joulecast;
using namespace joulecast::calibration;

namespace {

namespace fs = std::filesystem;

constexpr int kBatch = 48, kTokens = 700, kGpus = 8;

struct Folder {
  fs::path path = fs::temp_directory_path() / ("joulecast-round-trip-" + std::to_string(getpid()));
  Folder() { fs::create_directories(path); }
  ~Folder() { fs::remove_all(path); }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path / name) << text;
    return (path / name).string();
  }
};

/// 48 requests at once that decode together to the end, on the eight GPUs of a node; without traffic where `clock` is empty.
scenario::Result simulated(const Folder& folder, const std::string& clock, int nodes, const std::string& gpu = "") {
  std::string text = fmt::format(R"(schema = 1
[time]
bin = "100 ms"
{}
[site.here]
pue = 1.25
[cluster.a]
node = "dgx-h100"
nodes = {}
{}
[pool.chat]
cluster = "a"
model = "meta-llama/Llama-3.1-70B"
tensor_parallel_size = 8
replicas = 1
)",
                                 clock.empty() ? "duration = \"30 s\"" : "", nodes, gpu.empty() ? "" : "gpu = \"" + gpu + "\"");
  if (!clock.empty()) {
    text += fmt::format("sm_clock = \"{} MHz\"\n", clock);
    std::string trace = "TIMESTAMP,ContextTokens,GeneratedTokens\n";
    for (int i = 0; i < kBatch; ++i) trace += fmt::format("2026-03-02 10:00:00.{:07},64,{}\n", i + 1, kTokens);
    folder.write("requests.csv", trace);
    text += "[traffic.chat]\nrequests = { file = \"requests.csv\", format = \"azure\" }\nlength_prediction = \"mean\"\n";
  }
  return scenario::simulate(scenario::load(folder.write("run.toml", text), {{}, {}, "."}), {});
}

/// Mean watts of one GPU in each bin of 100 ms.
std::vector<double> gpu_watts(const scenario::Result& result, double gpus) {
  std::vector<double> watts;
  for (const float w : result.energy.watts[static_cast<std::size_t>(metering::Boundary::gpu)]) watts.push_back(static_cast<double>(w) / gpus);
  return watts;
}

double step_seconds(const scenario::Result& result) { return result.horizon_s / static_cast<double>(result.pools.at(0).steps); }
double mean_watts(const scenario::Result& result) {
  return result.energy.joules[static_cast<std::size_t>(metering::Boundary::gpu)] / result.horizon_s / kGpus;
}

/// What GPU 0 draws through a measuring session, and its marks.
struct Session {
  std::vector<std::int64_t> times;
  std::vector<double> watts, clocks;
  std::vector<std::pair<std::int64_t, std::string>> marks;

  void add(const std::string& mark, const std::vector<double>& phase, double clock) {
    marks.emplace_back(static_cast<std::int64_t>(times.size()) * 100'000'000, mark);
    // The last bin is cut short by the end of the run.
    for (std::size_t i = 0; i + 1 < phase.size(); ++i) {
      times.push_back(static_cast<std::int64_t>(times.size()) * 100'000'000);
      watts.push_back(phase[i]);
      clocks.push_back(clock);
    }
  }

  /// The log that `joulecast record` would write of it.
  std::string log(const SensorModel& sensor) const {
    std::string text =
        "# format: joulecast-record 1\n# driver: 590.48.01\n"
        "time_unix_s,gpu,uuid,power_average_w,power_instant_w,energy_j,sm_clock_hz,memory_clock_hz,utilization,temperature_c,power_limit_w,"
        "throttle_reasons,memory_used_bytes,mark\n";
    std::vector<std::int64_t> polls;
    for (std::int64_t t = 0; t < times.back(); t += 25'000'000) polls.push_back(t);
    const auto shown = sensor.readings(StepSignal(times, watts), polls, 7'000'000);
    std::size_t at = 0, mark = 0;
    for (std::size_t i = 0; i < polls.size(); ++i) {
      while (at + 1 < times.size() && times[at + 1] <= polls[i]) ++at;
      while (mark + 1 < marks.size() && marks[mark + 1].first <= polls[i]) ++mark;
      text += fmt::format("{:.3f},0,GPU-0,,{:.3f},,{:.0f},,{},,700,,,{}\n", 1772445600 + 1e-9 * static_cast<double>(polls[i]), shown[i], clocks[at],
                          watts[at] > 150 ? 1 : 0, marks[mark].second);
    }
    return text;
  }
};

Session session(const Folder& folder) {
  Session s;
  const auto one = gpu_watts(simulated(folder, "", 1), kGpus);
  auto both = gpu_watts(simulated(folder, "", 2), kGpus);
  for (std::size_t i = 0; i < both.size(); ++i) both[i] -= one[i];  // the second node holds nothing
  s.add("bare-idle", both, 345e6);
  s.add("context-idle", one, 1980e6);
  for (int mhz = 1980; mhz >= 900; mhz -= 120) {
    const auto run = simulated(folder, std::to_string(mhz), 1);
    s.add(fmt::format("clock={} step_s={:.9f}", mhz, step_seconds(run)), gpu_watts(run, kGpus), mhz * 1e6);
  }
  return s;
}

LogFit fitted(const Folder& folder, const Session& s, const SensorModel& sensor, LogFitRequest& request, traces::PowerLog& log) {
  traces::PowerLogOptions options;
  options.file = folder.write("log.csv", s.log(sensor));
  log = traces::read_power_log(options);
  config::Diagnostics diagnostics;
  request.log = &log;
  request.base = hardware::load_gpu(hardware::find_profile(hardware::gpu_folder("."), "GPU", "H100 SXM", {}), diagnostics);
  diagnostics.throw_if_failed();
  return fit_log(request);
}

void check(const Folder& folder, const LogFit& fit, const hardware::GpuProfile& truth) {
  REQUIRE(fit.bare_idle);
  REQUIRE(fit.context_idle);
  REQUIRE(fit.clock);
  CHECK(fit.bare_idle->watts == Approx(truth.idle.bare.value.si()).margin(2));
  CHECK(fit.context_idle->watts == Approx(truth.idle.context.value.si()).margin(2));
  // At clocks that the log does not hold.
  for (const int mhz : {1920, 1695, 1455, 1095}) {
    const auto run = simulated(folder, std::to_string(mhz), 1);
    CAPTURE(mhz);
    CHECK(fit.clock->watts(Hertz(mhz * 1e6)) == Approx(mean_watts(run)).epsilon(0.01));
    CHECK(fit.clock->seconds(Hertz(mhz * 1e6)) == Approx(step_seconds(run)).epsilon(0.01));
  }
}

}  // namespace

TEST_CASE("round trip: a simulated sweep through a quarter-time sensor gives the profile back, and the profile the run") {
  const Folder folder;
  const Session s = session(folder);
  LogFitRequest request;
  traces::PowerLog log;
  const LogFit fit = fitted(folder, s, {0.1, 0.025, 1, 0, 0}, request, log);
  check(folder, fit, request.base);
  CHECK(fit.clock_quality.power->held_out.p80 < 0.01);
  // The written profile runs at once and draws what the run drew.
  const std::string profile = folder.write("mine.toml", log_profile(request, fit, "my H100", {}));
  for (const int mhz : {1920, 1455, 1095}) {
    CAPTURE(mhz);
    CHECK(mean_watts(simulated(folder, std::to_string(mhz), 1, profile)) ==
          Approx(mean_watts(simulated(folder, std::to_string(mhz), 1))).epsilon(0.02));
  }
}

TEST_CASE("round trip through gain 0.95, 0.5 s of lag and a window that the fit is not told") {
  const Folder folder;
  const Session s = session(folder);
  LogFitRequest request;
  request.sensor.gain = 0.95;
  traces::PowerLog log;
  const LogFit fit = fitted(folder, s, {0.1, 1, 0.95, 0, 0.5}, request, log);
  check(folder, fit, request.base);
  CHECK(fit.sensor.model.window == Approx(1).margin(0.1));
  CHECK(fit.sensor.model.lag == Approx(0.5).margin(0.1));
}

TEST_CASE("round trip with watts of another form: the stated error is large") {
  const Folder folder;
  Session s = session(folder);
  // Watts that rise and fall with the clock, as no voltage curve does.
  for (std::size_t i = 0; i < s.watts.size(); ++i) {
    if (s.watts[i] > 150) s.watts[i] = 400 + 150 * std::sin(s.clocks[i] / 60e6);
  }
  LogFitRequest request;
  traces::PowerLog log;
  const LogFit fit = fitted(folder, s, {0.1, 0.025, 1, 0, 0}, request, log);
  REQUIRE(fit.clock);
  CHECK(fit.clock_quality.power->held_out.p80 > 0.1);
}
