// Operating points of passes: the smooth maximum with the host, clocks, caps, watts.
#include <catch2/catch.hpp>
#include <cmath>

#include "training/chunk_pass.hpp"
#include "unit/training/costs_support.hpp"

using namespace joulecast;
using namespace joulecast::training;

namespace {

RepeatedPass one(std::vector<TimedWork> work, double host = 0, double times = 1) { return {{std::move(work), host}, times}; }

}  // namespace

TEST_CASE("a pass takes ((GPU + communication)^4 + host^4)^(1/4), and its energy is each class's time at its watts") {
  const auto gpu = gpu_named("A100 SXM 80");
  const double peak = gpu.peak_bf16.value.si();
  // 2 ms of GEMM at half of the peak, 0.5 ms of collective, 1 ms of host.
  const TimedWork gemm{Work::gemm, {2e-3, 2e-3}, 0.5 * peak * 2e-3}, collective{Work::collective, {0.5e-3, 0}};
  const auto points = OperatingPoints(gpu, {}).of({one({gemm, collective}, 1e-3, 3)}, 4);
  REQUIRE(points.size() == 1);
  const double total = std::pow(std::pow(2.5, 4) + 1, 0.25) * 1e-3;
  CHECK(points[0].clock == gpu.clocks.reference.value);
  CHECK(points[0].time.units() == Approx(3 * total));
  CHECK(points[0].communication_time.units() == Approx(3 * 0.5e-3));
  const double watts = gpu.watts.gemm_base.value.si() + gpu.watts.gemm_slope.value.si() * std::sqrt(0.5);
  const double joules = 2e-3 * watts + 0.5e-3 * gpu.watts.collective.value.si() + (total - 2.5e-3) * gpu.watts.host.value.si();
  CHECK(points[0].energy.units() == Approx(4 * 3 * joules));
  CHECK(points[0].communication_energy.units() == Approx(4 * 3 * 0.5e-3 * gpu.watts.collective.value.si()));
  CHECK(points[0].recompute_time.raw == 0);
}

TEST_CASE("points fall in clock and rise in time; core time goes with 1/f, a NIC's does not feel the clock") {
  const auto gpu = gpu_named("A100 SXM 80");
  ClockSettings settings;
  settings.every_clock = true;
  const OperatingPoints points(gpu, settings);
  const auto core = points.of({one({{Work::attention, {1e-3, 1e-3}}})}, 1);
  REQUIRE(core.size() == gpu.clock_list().size());
  for (std::size_t i = 1; i < core.size(); ++i) {
    CHECK(core[i].clock < core[i - 1].clock);
    CHECK(core[i].time > core[i - 1].time);
    CHECK(core[i].time.units() == Approx(1e-3 * gpu.clocks.reference.value.si() / core[i].clock.si()));
  }
  const auto nic = points.of({one({{Work::collective, {1e-3, 0}}})}, 1);
  CHECK(nic.back().time == nic.front().time);
  CHECK(nic.back().energy < nic.front().energy);
}

TEST_CASE("a cap lowers the clock that is reached, never the watts, and does nothing above them") {
  const auto gpu = gpu_named("A100 SXM 80");
  const std::vector<RepeatedPass> pass{one({{Work::attention, {1e-3, 1e-3}}})};
  ClockSettings settings;
  const auto free = OperatingPoints(gpu, settings).of(pass, 1);
  settings.cap = gpu.watts.attention.value + Watts(1);
  CHECK(OperatingPoints(gpu, settings).of(pass, 1).front().energy == free.front().energy);
  settings.cap = Watts(300);
  settings.every_clock = true;
  const auto capped = OperatingPoints(gpu, settings).of(pass, 1);
  CHECK(capped.front().clock < gpu.clocks.reference.value);
  CHECK(capped.front().energy.units() / capped.front().time.units() <= 300);
  // The next higher clock would break it.
  settings.cap.reset();
  settings.lock = capped.front().clock + gpu.clocks.step.value;
  const auto above = OperatingPoints(gpu, settings).of(pass, 1).front();
  CHECK(above.energy.units() / above.time.units() > 300);
  // No clock keeps 50 W: the lowest one is what there is.
  settings = {};
  settings.cap = Watts(50);
  CHECK(OperatingPoints(gpu, settings).of(pass, 1).front().clock == gpu.clocks.lowest.value);
}

TEST_CASE("recomputed work is counted apart, its collectives as communication") {
  const auto gpu = gpu_named("A100 SXM 80");
  const TimedWork again{Work::attention, {1e-3, 1e-3}, 0, true}, reduce{Work::collective, {2e-3, 0}, 0, true}, own{Work::attention, {1e-3, 1e-3}};
  const auto point = OperatingPoints(gpu, {}).of({one({again, reduce}), one({own})}, 1).front();
  CHECK(point.time.units() == Approx(4e-3));
  CHECK(point.recompute_time.units() == Approx(1e-3));
  CHECK(point.communication_time.units() == Approx(2e-3));
  CHECK(point.recompute_energy.units() == Approx(1e-3 * gpu.watts.attention.value.si()));
}

TEST_CASE("GEMMs take whole waves of tiles") {
  auto gpu = gpu_named("A100 SXM 80");
  const WorkTimes times(gpu);
  // 108 tiles of 128 x 256 fill one wave, one more column of tiles takes a second.
  const Matrix full{128 * 108, 256, 8192}, more{128 * 109, 256, 8192};
  const double launch = gpu.training->gemm_launch.value.si();
  const double rate = gpu.training->fitted.gemm_derate.value * gpu.training->gemm_compute.value * gpu.peak_bf16.value.si();
  CHECK(times.gemm(full).timing.total == Approx(launch + full.flops() / rate));
  CHECK(times.gemm(more).timing.total == Approx(launch + 2 * full.flops() / rate));
  CHECK(times.gemm(full).flops == full.flops());
  // A product of one row moves its matrix.
  const Matrix thin{1, 8192, 8192};
  const double bandwidth = gpu.training->gemm_memory.value * gpu.memory_bandwidth.value.si();
  CHECK(times.gemm(thin).timing.total == Approx(launch + thin.bytes() / bandwidth));
  gpu.training.reset();
  CHECK_THROWS_WITH(WorkTimes(gpu), Catch::Contains("has no [training]"));
}
