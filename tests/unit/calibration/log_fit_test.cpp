// A board of known figures, seen through a sensor and written as a log, gives its figures back; what the log lacks is refused by name.
#include "calibration/log_fit.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "base/philox.hpp"
#include "calibration/log_profile.hpp"
#include "hardware/profiles.hpp"
#include "unit/calibration/tables.hpp"

using namespace joulecast;
using namespace joulecast::calibration;

namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

hardware::GpuProfile gpu(const std::string& name) {
  config::Diagnostics diagnostics;
  auto profile = hardware::load_gpu(hardware::find_profile(hardware::gpu_folder("."), "GPU", name, {}), diagnostics);
  diagnostics.throw_if_failed();
  return profile;
}

/// A measuring session: phases of half a minute each, a value each 100 ms with some noise, shown by a sensor and polled each 20 ms.
struct Session {
  std::vector<std::int64_t> times;
  std::vector<double> watts, clocks;
  std::vector<traces::PhaseMark> marks;

  void phase(const std::string& name, double level, double clock, double noise = 2) {
    Stream random(1, "session", name);
    const std::int64_t begin = times.empty() ? 0 : times.back() + kSecond / 10;
    marks.push_back({begin, name});
    for (int i = 0; i < 300; ++i) {
      times.push_back(begin + i * kSecond / 10);
      watts.push_back(level + noise * random.normal());
      clocks.push_back(clock);
    }
  }

  traces::PowerLog log(const SensorModel& sensor, bool with_marks = true) const {
    traces::PowerLog out;
    out.source.file = "session.csv";
    out.source.sha256 = "0123456789abcdef";
    traces::GpuSeries& series = out.gpus.emplace_back();
    series.index = "0";
    const StepSignal truth(times, watts);
    std::size_t at = 0;
    for (std::int64_t t = 0; t <= times.back(); t += kSecond / 50) {
      while (at + 1 < times.size() && times[at + 1] <= t) ++at;
      series.time_ns.push_back(t);
      series.sm_clock_hertz.push_back(clocks[at]);
      series.utilization.push_back(watts[at] > 200 ? 1 : 0);
      series.memory_used_bytes.push_back(watts[at] > 95 ? 70e9 : 0.5e9);
    }
    series.power.push_back({traces::PowerKind::instant, "power.draw.instant", sensor.readings(truth, series.time_ns, 13'000'000), 0});
    if (with_marks) out.marks = marks;
    return out;
  }
};

ClockCurve truth() {
  ClockCurve curve;
  curve.top = curve.ceiling = Hertz(1980e6);
  curve.time = ClockCurve::Time{0.02, 0.9, 0.6, 4};
  curve.power = ClockCurve::Power{230, 330, 0.75, 1.25};
  return curve;
}

Session sweep() {
  Session session;
  session.phase("bare-idle", 72, 345e6);
  session.phase("warm-up", 500, 1980e6);
  session.phase("context-idle", 121, 1980e6);
  for (int i = 0; i < 10; ++i) {
    const double mhz = 1980 - 120 * i;
    const Hertz clock(mhz * 1e6);
    session.phase("clock=" + std::to_string(mhz) + " step_s=" + std::to_string(truth().seconds(clock)), truth().watts(clock), clock.si());
  }
  return session;
}

LogFitRequest request_of(const traces::PowerLog& log) {
  LogFitRequest request;
  request.log = &log;
  request.base = gpu("H100 SXM");
  return request;
}

void check_figures(const LogFit& fit) {
  REQUIRE(fit.bare_idle);
  CHECK(fit.bare_idle->watts == Approx(72).margin(2));
  CHECK(fit.context_idle->watts == Approx(121).margin(2));
  REQUIRE(fit.clock);
  for (const double mhz : {1950.0, 1700.0, 1333.0, 950.0}) {
    CHECK(fit.clock->watts(Hertz(mhz * 1e6)) == Approx(truth().watts(Hertz(mhz * 1e6))).epsilon(0.01));
    CHECK(fit.clock->seconds(Hertz(mhz * 1e6)) == Approx(truth().seconds(Hertz(mhz * 1e6))).epsilon(0.01));
  }
}

}  // namespace

TEST_CASE("a marked sweep through a fast sensor gives floors within 2 W and the clock curve within 1 %") {
  const traces::PowerLog log = sweep().log({0.1, 0.025, 1, 0, 0});
  const LogFit fit = fit_log(request_of(log));
  check_figures(fit);
  CHECK(fit.sensor.model.period == Approx(0.1).epsilon(0.05));
  CHECK(fit.sensor.model.window < 0.1);
  CHECK(fit.clock_quality.power->held_out.p80 < 0.01);
  CHECK(fit.phases.dropped.at("\"warm-up\"") == 1);
}

TEST_CASE("so does one through gain 0.95, half a second of lag and a window that the fit isn't told") {
  const traces::PowerLog log = sweep().log({0.1, 1, 0.95, 0, 0.5});
  LogFitRequest request = request_of(log);
  request.sensor.gain = 0.95;
  const LogFit fit = fit_log(request);
  check_figures(fit);
  CHECK(fit.sensor.window_learnt);
  CHECK(fit.sensor.model.window == Approx(1).margin(0.1));
  CHECK(fit.sensor.lag_learnt);
  CHECK(fit.sensor.model.lag == Approx(0.5).margin(0.1));
}

TEST_CASE("a gain that nobody states stays in the watts, and the error says so") {
  const traces::PowerLog log = sweep().log({0.1, 1, 0.95, 0, 0.5});
  const LogFit fit = fit_log(request_of(log));
  CHECK(fit.bare_idle->watts == Approx(0.95 * 72).margin(2));
  CHECK(fit.bare_idle->error >= 0.05);
}

TEST_CASE("without marks the mean's changes cut the log, and idle phases are known by utilisation and memory") {
  const traces::PowerLog log = sweep().log({0.1, 1, 1, 0, 0}, false);
  const LogFit fit = fit_log(request_of(log));
  REQUIRE(fit.bare_idle);
  CHECK(fit.bare_idle->watts == Approx(72).margin(2));
  CHECK(fit.context_idle->watts == Approx(121).margin(2));
  REQUIRE(fit.clock);
  CHECK(fit.clock->watts(Hertz(1500e6)) == Approx(truth().watts(Hertz(1500e6))).epsilon(0.02));
  CHECK_FALSE(fit.clock->time);
}

TEST_CASE("a log made with another power form than the fit's states a large error") {
  Session session;
  for (int i = 0; i < 10; ++i) {
    const double mhz = 1980 - 120 * i;
    session.phase("clock=" + std::to_string(mhz), 300 + 110 * std::sin(i * 1.5), mhz * 1e6);
  }
  const traces::PowerLog log = session.log({0.1, 0.025, 1, 0, 0});
  const LogFit fit = fit_log(request_of(log));
  REQUIRE(fit.clock);
  CHECK(fit.clock_quality.power->held_out.p80 > 0.1);
}

TEST_CASE("a log of floors alone makes a partial profile that loads, and names the measurements that are missing") {
  const TableFolder folder;
  Session session;
  session.phase("bare-idle", 72, 345e6);
  session.phase("loading", 300, 1980e6);
  session.phase("context-idle", 121, 1980e6);
  const traces::PowerLog log = session.log({0.1, 0.025, 1, 0, 0});
  const LogFitRequest request = request_of(log);
  const LogFit fit = fit_log(request);
  CHECK_FALSE(fit.clock);
  const std::string text = log_profile(request, fit, "my H100", {});
  CHECK_THAT(text, Catch::Contains("not given: power and time against the clock") && Catch::Contains("clock-sweep") &&
                       Catch::Contains("session.csv (sha256 0123456789ab)"));
  config::Diagnostics diagnostics;
  const auto profile = hardware::load_gpu(folder.write("mine.toml", text), diagnostics);
  diagnostics.throw_if_failed();
  CHECK(profile.idle.bare.value.si() == Approx(72).margin(0.5));
  CHECK(profile.idle.bare.kind == hardware::FigureKind::measured);
  CHECK(profile.power.knee.value == request.base.power.knee.value);
}

TEST_CASE("a load log cuts a log without marks, and gives step time and watts against batch") {
  Session session;
  traces::EngineLoad load;
  double tokens = 0;
  std::int64_t second = 0;
  session.phase("idle", 121, 1980e6);
  for (const int batch : {0, 8, 16, 32, 64}) {
    const double step = 0.015 + 0.0001 * batch;
    if (batch > 0) session.phase(std::to_string(batch), 300 + 200 * std::sqrt(batch / step / (64 / 0.0214)), 1980e6);
    for (int i = 0; i < 30; ++i) {
      load.time_ns.push_back(second++ * kSecond);
      load.running.push_back(batch);
      load.generation_tokens.push_back(tokens);
      tokens += batch / step;
    }
  }
  const traces::PowerLog log = session.log({0.1, 0.025, 1, 0, 0}, false);
  LogFitRequest request = request_of(log);
  request.load = load;
  const LogFit fit = fit_log(request);
  REQUIRE(fit.load_offset);
  CHECK(fit.load_offset->seconds == Approx(0).margin(0.6));
  CHECK(fit.context_idle->watts == Approx(121).margin(2));
  REQUIRE(fit.batch);
  CHECK(fit.batch->fixed_seconds == Approx(0.015).epsilon(0.03));
  CHECK(fit.batch->sequence_seconds == Approx(0.0001).epsilon(0.1));
  CHECK(fit.batch->watts(32, 0.0182) == Approx(300 + 200 * std::sqrt(32 / 0.0182 / (64 / 0.0214))).epsilon(0.01));
}

TEST_CASE("a counter that disagrees with power over time is reported and not used") {
  Session session;
  session.phase("bare-idle", 65, 345e6, 0);
  traces::PowerLog log = session.log({0.1, 0.025, 1, 0, 0});
  auto& series = log.gpus.front();
  for (const std::int64_t t : series.time_ns) series.energy_joules.push_back(37.4 * static_cast<double>(t) * 1e-9);
  const LogFit fit = fit_log(request_of(log));
  REQUIRE(fit.counters.size() == 1);
  CHECK(fit.counters[0].facts.difference() == Approx(37.4 / 65 - 1).epsilon(1e-3));
  CHECK_FALSE(fit.by_counter);
  CHECK(fit.bare_idle->watts == Approx(65).margin(0.5));
  CHECK_THAT(fit.warnings.at(0), Catch::Contains("counter"));
}

TEST_CASE("batches are fitted of one lock and one work: the unlocked ones where there are three, and measured steps know it") {
  const auto batches = [](Session& session, const std::string& more, double extra, double clock) {
    for (const int batch : {8, 16, 32, 64}) {
      session.phase("batch=" + std::to_string(batch) + " step_s=" + std::to_string(0.015 + 0.0001 * batch) + more, 300 + 3 * batch + extra, clock);
    }
  };
  Session session;
  batches(session, "", 0, 1980e6);
  session.phase("clock=1410 batch=64 step_s=0.03", 350, 1410e6);
  session.phase("clock=1200 batch=64 step_s=0.035", 320, 1200e6);
  const traces::PowerLog swept = session.log({0.1, 0.025, 1, 0, 0});
  const LogFit unlocked = fit_log(request_of(swept));
  CHECK(unlocked.batch_points.size() == 4);
  CHECK(unlocked.batch);
  CHECK(unlocked.batch_lock.si() == 0);

  Session locked;
  locked.phase("batch=64 step_s=0.02", 500, 1980e6);
  batches(locked, " clock=1410", -100, 1410e6);
  batches(locked, " clock=1200", -150, 1200e6);
  const traces::PowerLog two = locked.log({0.1, 0.025, 1, 0, 0});
  const LogFit highest = fit_log(request_of(two));
  CHECK(highest.batch_points.size() == 4);
  CHECK(highest.batch_lock.si() == 1410e6);

  Session works;
  works.phase("work=prefill batch=8 step_s=0.2", 690, 1980e6);
  batches(works, " work=decode", 0, 1980e6);
  const traces::PowerLog both = works.log({0.1, 0.025, 1, 0, 0});
  const LogFit decode = fit_log(request_of(both));
  REQUIRE(decode.batch_points.size() == 4);
  CHECK(decode.batch_points.back().sequences == 8);
  CHECK(decode.batch_points.back().step_seconds == Approx(0.0158));
  CHECK_THAT(decode.notes, Catch::VectorContains(std::string("step time and watts against batch are those of work \"decode\": the log has 2 works")));
}

TEST_CASE("a load that keeps step with the sensor is warned of where the window is only assumed") {
  Session session;
  session.phase("batch=8", 400, 1980e6);
  const traces::PowerLog log = session.log({0.1, 0.025, 1, 0, 0});
  const auto warned = [&](std::optional<double> window) {
    LogFitRequest request = request_of(log);
    request.load_period = 0.2;
    request.sensor.period = 0.1;
    request.sensor.window = window;
    const LogFit fit = fit_log(request);
    CHECK_FALSE(fit.sensor.window_learnt);
    return std::any_of(fit.warnings.begin(), fit.warnings.end(),
                       [](const std::string& w) { return w.find("the load repeats") != std::string::npos; });
  };
  CHECK(warned(std::nullopt));
  CHECK(warned(0.025));
  CHECK_FALSE(warned(1));
}

TEST_CASE("a counter that starts again counts on, and agrees with power") {
  Session session;
  session.phase("bare-idle", 65, 345e6, 0);
  traces::PowerLog log = session.log({0.1, 0.025, 1, 0, 0});
  auto& series = log.gpus.front();
  for (const std::int64_t t : series.time_ns) series.energy_joules.push_back(65 * static_cast<double>(t % (15 * kSecond)) * 1e-9);
  const LogFit fit = fit_log(request_of(log));
  REQUIRE(fit.counters.size() == 1);
  CHECK(std::abs(fit.counters[0].facts.difference()) < 0.01);
}
