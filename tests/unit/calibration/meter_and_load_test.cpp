// Readings against another meter, a load log laid beside power, and a chassis fit: what was put in comes out.
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <cmath>

#include "base/error.hpp"
#include "base/philox.hpp"
#include "calibration/chassis_fit.hpp"
#include "calibration/load_join.hpp"
#include "calibration/meter_check.hpp"
#include "hardware/profiles.hpp"
#include "unit/calibration/tables.hpp"

using namespace joulecast;
using namespace joulecast::calibration;

namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

/// Levels of three to seven seconds between 80 and 500 W, each 10 ms.
StepSignal wandering(double gain, double offset, double later) {
  Stream random(3, "meter", "levels");
  std::vector<std::int64_t> times;
  std::vector<double> watts;
  double level = 80;
  int left = 300;
  for (int i = 0; i < 6000; ++i) {
    if (left-- == 0) {
      level = 80 + 420 * random.uniform();
      left = 300 + static_cast<int>(random.below(400));
    }
    times.push_back(i * kSecond / 100 + static_cast<std::int64_t>(later * 1e9));
    watts.push_back(gain * level + offset);
  }
  return {times, watts};
}

}  // namespace

TEST_CASE("signals are added at the first one's samples") {
  const std::vector<std::int64_t> first = {0, 10, 20}, second = {5, 15};
  const std::vector<double> watts = {100, 200, 300}, more = {10, 20};
  const std::vector<StepSignal> both = {{first, watts}, {second, more}};
  const StepSignal sum = sum_of(both);
  CHECK(std::vector<double>(sum.watts().begin(), sum.watts().end()) == std::vector<double>{110, 210, 320});
  CHECK(std::vector<std::int64_t>(sum.times().begin(), sum.times().end()) == first);
}

TEST_CASE("readings that come half a second late through a gain and an offset are found out") {
  const MeterCheck check = check_meter(wandering(1, 0, 0), wandering(0.944, 4.6, 0.5), 2 * kSecond, 50 * kSecond);
  CHECK(check.shift.seconds == Approx(0.5).margin(0.011));
  CHECK(check.gain == Approx(0.944).epsilon(0.005));
  CHECK(check.offset == Approx(4.6).margin(1.5));
  CHECK_THAT(check.shift_text(), Catch::Contains("0.50 s later"));
  CHECK(check_meter(wandering(1, 0, 0), wandering(0.944, 4.6, 0), 2 * kSecond, 50 * kSecond).shift_text().empty());
  CHECK_THROWS_AS(check_meter(wandering(1, 0, 0), wandering(1, 0, 100), 0, 50 * kSecond), UserError);
}

TEST_CASE("a load log whose clock is off is laid on the power, and gives batch and step times") {
  // Power steps up at 20 s and down at 60 s; the load log says it 7 s earlier: 32 sequences, a step of 25 ms.
  traces::EngineLoad load;
  double tokens = 0;
  for (int i = 0; i < 100; ++i) {
    const bool on = i >= 13 && i < 53;
    load.time_ns.push_back(i * kSecond);
    load.running.push_back(on ? 32 : 0);
    load.generation_tokens.push_back(tokens);
    if (on) tokens += 32 / 0.025;
  }
  const std::vector<std::int64_t> times = {0, 20 * kSecond, 60 * kSecond, 100 * kSecond};
  const std::vector<double> watts = {120, 480, 120, 120};
  const LoadOffset offset = find_load_offset(load, {times, watts});
  CHECK(offset.seconds == Approx(7).margin(0.5));
  CHECK(offset.correlation > 0.99);
  std::vector<Phase> phases(1);
  phases[0].facts.state = PhaseState::active;
  phases[0].from_ns = 22 * kSecond;
  phases[0].to_ns = 58 * kSecond;
  add_load(phases, load, offset.seconds);
  CHECK(phases[0].batch == Approx(32));
  CHECK(phases[0].facts.step_seconds == Approx(0.025).epsilon(1e-6));
  // A counter of steps says it without the batch.
  traces::EngineLoad counted;
  counted.time_ns = load.time_ns;
  for (int i = 0; i < 100; ++i) counted.steps.push_back(20 * i);
  phases[0].facts.step_seconds = 0;
  add_load(phases, counted, 7);
  CHECK(phases[0].facts.step_seconds == Approx(0.05));
}

TEST_CASE("the marks of a load log end where it ends, so that no batch runs on behind it") {
  traces::EngineLoad load;
  for (int i = 0; i < 140; ++i) {
    load.time_ns.push_back(i * kSecond);
    load.running.push_back(i < 70 ? 8 : 64);
  }
  const auto marks = marks_of_load(load, 3);
  REQUIRE(marks.size() == 3);
  CHECK(marks[1].name == "batch=64");
  CHECK(marks[2].time_ns == (139 + 3) * kSecond);
  CHECK(phase_facts(marks[2].name).state == PhaseState::unknown);
  // 480 W while 64 run, 120 W from 150 s on, when the load log has long ended; a power log that ends first ends the phase.
  for (const std::int64_t end : {260, 120}) {
    traces::PowerLog log;
    log.marks = marks;
    traces::GpuSeries& gpu = log.gpus.emplace_back();
    std::vector<double> watts;
    for (std::int64_t t = 0; t <= 10 * end; ++t) {
      gpu.time_ns.push_back(t * kSecond / 10);
      watts.push_back(t < 730 ? 250 : t < 1500 ? 480 : 120);
    }
    gpu.power.push_back({traces::PowerKind::instant, "watts", watts, 0});
    const Phases phases = find_phases(log, traces::PowerKind::instant, SensorModel{});
    REQUIRE(phases.phases.size() == 2);
    CHECK(phases.phases[1].watts == Approx(480));
    CHECK(phases.phases[1].to_ns == std::min<std::int64_t>(end, 142) * kSecond);
  }
}

TEST_CASE("a node's AC watts give host and fans back; the supplies' curve is refused") {
  config::Diagnostics diagnostics;
  auto base = hardware::load_node(hardware::find_profile(hardware::node_folder("."), "node", "dgx-h100", {}), diagnostics);
  diagnostics.throw_if_failed();
  auto made = base;
  made.host.value = Watts(1050);
  made.fans_peak.value = Watts(900);
  std::vector<ChassisPoint> points;
  for (double gpus = 600; gpus <= 5600; gpus += 200) points.push_back({gpus, made.overhead().chassis_ac(Watts(gpus)).si()});
  const ChassisFit fit = fit_chassis(points, base);
  CHECK(fit.host_watts == Approx(1050).epsilon(1e-3));
  CHECK(fit.fans_peak_watts == Approx(900).epsilon(1e-3));
  CHECK(fit.quality.held_out.worst < 1e-4);
  CHECK_THAT(fit.refused.back().name, Catch::Contains("supplies"));
  const TableFolder folder;
  const auto read = hardware::load_node(folder.write("node.toml", chassis_profile(fit, base, "mine", "H100 SXM", "bmc.csv")), diagnostics);
  diagnostics.throw_if_failed();
  CHECK(read.host.value.si() == Approx(1050).margin(0.1));
  // A narrow load shows the host alone.
  const std::vector<ChassisPoint> narrow(points.begin() + 10, points.begin() + 20);
  const ChassisFit less = fit_chassis(narrow, made);
  CHECK_FALSE(less.fans_fitted);
  CHECK(less.host_watts == Approx(1050).epsilon(1e-3));
  CHECK_THROWS_AS(fit_chassis(std::vector<ChassisPoint>(3, ChassisPoint{1000, 2500}), base), UserError);
}
