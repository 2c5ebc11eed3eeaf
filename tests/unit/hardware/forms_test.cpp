#include "hardware/forms.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "hardware/profiles.hpp"

using namespace joulecast;
using namespace joulecast::hardware;

namespace {

GpuProfile h100() {
  config::Diagnostics diagnostics;
  auto gpu = load_gpu(find_profile(gpu_folder("."), "GPU", "H100 SXM", {}), diagnostics);
  diagnostics.throw_if_failed();
  return gpu;
}

}  // namespace

TEST_CASE("GEMM: t = t0 + (tc^p + tm^p)^(1/p), its core part tc where that leads and the memory-bound share where memory leads") {
  const auto gpu = h100();
  const double flops = 2e12, bytes = 1e9;
  const double tc = flops / (0.812 * 989e12), tm = bytes / (0.846 * 3.35e12);
  const auto timing = gemm_timing(gpu, flops, bytes);
  CHECK(timing.total == Approx(3e-6 + std::pow(std::pow(tc, 2.43) + std::pow(tm, 2.43), 1 / 2.43)));
  CHECK(timing.core == Approx(tc));
  const auto thin = gemm_timing(gpu, 1e6, bytes);
  CHECK(thin.total == Approx(3e-6 + tm));
  CHECK(thin.core == Approx(0.45 * thin.total));
  CHECK(gemm_timing(gpu, 0, 0).total == Approx(3e-6));
}

TEST_CASE("clock: nothing changes at the reference, core work scales with 1/f, other work as (a^p + (b f0/f)^p)^(1/p)") {
  const auto gpu = h100();
  const ClockScaling reference(gpu, gpu.clocks.reference.value, 1);
  CHECK(reference.seconds({3e-3, 1e-3}) == 3e-3);
  CHECK(reference.watts(500) == 500);

  const ClockScaling half(gpu, gpu.clocks.reference.value / 2, 1);
  CHECK(half.seconds({1, 1}) == Approx(2));
  CHECK(half.seconds({1, 0}) == 1);
  const double a4 = 1 - std::pow(0.45, 4);
  CHECK(half.seconds({1, 0.45}) == Approx(std::pow(a4 + std::pow(0.9, 4), 0.25)));

  const ClockScaling slow_part(gpu, gpu.clocks.reference.value, 0.8);
  CHECK(slow_part.seconds({1, 1}) == Approx(1.25));
  CHECK(slow_part.watts(500) == 500);
}

TEST_CASE("watts: P_ctx + P_mem + D*g(f)/g(f0), flat voltage below the knee and 1.2 of it at the top") {
  const auto gpu = h100();
  const double top = gpu.clocks.highest.value.si();
  const double class_watts = 600, d = 0.45 * class_watts;
  const ClockScaling knee(gpu, Hertz(0.77 * top), 1);
  CHECK(knee.watts(class_watts) == Approx(class_watts - d + d * 0.77 / (1.2 * 1.2)));
  const ClockScaling below(gpu, Hertz(0.385 * top), 1);
  CHECK(below.watts(class_watts) == Approx(class_watts - d + d * 0.385 / 1.44));
  SECTION("context idle is the floor: a class that draws little more has less to save") {
    const double idle = gpu.idle.context.value.si();
    CHECK(below.watts(idle + 10) >= idle);
    CHECK(below.watts(idle) == Approx(idle));
  }
}

TEST_CASE("watts and time against the clock are monotone over every clock that exists") {
  const auto gpu = h100();
  double watts = 0, seconds = 1e9;
  for (const auto clock : gpu.clock_list()) {
    const ClockScaling scaling(gpu, clock, 1);
    CHECK(scaling.watts(650) > watts);
    CHECK(scaling.seconds({1, 0.6}) < seconds);
    watts = scaling.watts(650);
    seconds = scaling.seconds({1, 0.6});
  }
}

TEST_CASE("all-reduce: alpha + c*sqrt(S) + S/beta") {
  const auto gpu = h100();
  const auto* four = find_all_reduce(gpu, 4);
  REQUIRE(four != nullptr);
  CHECK(all_reduce_seconds(*four, 1e6) == Approx(6.5e-6 + 8.4e-9 * 1e3 + 1e6 / 263e9));
  CHECK(find_all_reduce(gpu, 3) == nullptr);
}
