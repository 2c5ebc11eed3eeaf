// Fits on tables made from known forms, the profile that comes out, and what is refused.
#include "calibration/calibrate_ops.hpp"

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <cmath>

#include "base/error.hpp"
#include "hardware/forms.hpp"
#include "hardware/profiles.hpp"
#include "unit/calibration/tables.hpp"

using namespace joulecast;
using namespace joulecast::calibration;
using hardware::Collective;

namespace {

hardware::GpuProfile gpu(const std::string& name) {
  config::Diagnostics diagnostics;
  auto profile = hardware::load_gpu(hardware::find_profile(hardware::gpu_folder("."), "GPU", name, {}), diagnostics);
  diagnostics.throw_if_failed();
  return profile;
}

/// A GEMM table that follows the form exactly.
std::string gemm_text(const hardware::GpuProfile& of) {
  std::string text = "gemm_dtype,m,n,k,latency\n";
  for (int m = 16; m <= 8192; m *= 2) {
    for (int n = 1024; n <= 32768; n *= 2) {
      for (int k = 1024; k <= 16384; k *= 2) {
        const GemmRow row{m, n, k, 0};
        text += fmt::format("bfloat16,{},{},{},{}\n", m, n, k, 1e3 * hardware::gemm_timing(of, row.flops(), row.bytes()).total);
      }
    }
  }
  return text;
}

std::string nccl_text(double alpha, double root, double beta) {
  std::string text = "op_name,nccl_dtype,num_gpus,message_bytes,latency\n";
  for (double s = 512; s < 1e9; s *= 2) text += fmt::format("reduce_scatter,half,8,{},{}\n", s, 1e3 * (alpha + root * std::sqrt(s) + s / beta));
  return text;
}

}  // namespace

TEST_CASE("a table that follows the forms gives their figures back, in a profile that loads and extends the base") {
  const TableFolder folder;
  OpsRequest request;
  request.name = "my H100";
  request.base = gpu("H100 SXM");
  auto truth = request.base;
  truth.gemm.launch.value = Seconds(4e-6);
  truth.gemm.compute_efficiency.value = 0.75;
  truth.gemm.memory_efficiency.value = 0.9;
  truth.gemm.sharpness.value = 3;
  request.gemm = {folder.write("gemm.csv", gemm_text(truth))};
  request.collectives = {folder.write("nccl.csv", nccl_text(8e-6, 4e-9, 400e9))};
  const OpsResult result = calibrate_ops(request);
  REQUIRE(result.gemm);
  CHECK(result.gemm->launch == Approx(4e-6).epsilon(1e-4));
  CHECK(result.gemm->compute_efficiency == Approx(0.75).epsilon(1e-5));
  CHECK(result.gemm->memory_efficiency == Approx(0.9).epsilon(1e-5));
  CHECK(result.gemm->sharpness == Approx(3).epsilon(1e-4));
  CHECK(result.gemm->held_out.worst < 1e-4);
  REQUIRE(result.collectives.size() == 1);
  CHECK(result.collectives[0].alpha == Approx(8e-6).epsilon(1e-6));
  CHECK(result.collectives[0].beta == Approx(400e9).epsilon(1e-6));

  config::Diagnostics diagnostics;
  const auto profile = hardware::load_gpu(folder.write("mine.toml", result.profile), diagnostics);
  diagnostics.throw_if_failed();
  CHECK(profile.name == "my H100");
  CHECK(profile.gemm.compute_efficiency.value == 0.75);
  CHECK(profile.gemm.compute_efficiency.kind == hardware::FigureKind::calibrated);
  CHECK(profile.gemm.compute_efficiency.error == Approx(0.01));
  CHECK_THAT(profile.gemm.compute_efficiency.source, Catch::Contains("gemm.csv (sha256") && Catch::Contains("rows used"));
  CHECK(profile.idle.bare.value == request.base.idle.bare.value);
  REQUIRE(profile.collectives.size() > 0);
  const auto scatter = std::find_if(profile.collectives.begin(), profile.collectives.end(),
                                    [](const auto& form) { return form.collective == Collective::reduce_scatter && form.gpus == 8; });
  REQUIRE(scatter != profile.collectives.end());
  CHECK(scatter->beta.value.si() == Approx(400e9).epsilon(1e-3));
  CHECK_THAT(scatter->beta.source, Catch::Contains("512 B ..") && Catch::Contains("held out"));
}

TEST_CASE("a GPU without tables takes another's efficiencies over: modelled, wider, and says so") {
  const TableFolder folder;
  OpsRequest request;
  request.name = "A100 PCIe 80";
  request.base = gpu("A100 PCIe 80");
  request.like = gpu("A100 SXM 80");
  const OpsResult result = calibrate_ops(request);
  CHECK_FALSE(result.gemm);
  REQUIRE(result.notes.size() == 2);
  CHECK_THAT(result.notes[0], Catch::Contains("A100 SXM 80") && Catch::Contains("not measured on this GPU"));
  config::Diagnostics diagnostics;
  const auto profile = hardware::load_gpu(folder.write("mine.toml", result.profile), diagnostics);
  diagnostics.throw_if_failed();
  CHECK(profile.gemm.compute_efficiency.kind == hardware::FigureKind::modelled);
  CHECK(profile.gemm.compute_efficiency.value == request.like->gemm.compute_efficiency.value);
  CHECK(*profile.gemm.compute_efficiency.error == Approx(*request.like->gemm.compute_efficiency.error + 0.15));
}

TEST_CASE("too little to fit is refused by name") {
  const TableFolder folder;
  OpsRequest request;
  request.name = "x";
  request.base = gpu("H100 SXM");
  request.gemm = {folder.write("gemm.csv", "gemm_dtype,m,n,k,latency\nbfloat16,4096,4096,4096,0.3\n")};
  CHECK_THROWS_WITH(calibrate_ops(request), Catch::Contains("1 GEMM rows are left"));
  // Square GEMMs alone: all compute-bound, so the memory side is not identified.
  std::string square = "gemm_dtype,m,n,k,latency\n";
  for (int side = 2048; side <= 8192; side += 256) square += fmt::format("bfloat16,{0},{0},{0},{1}\n", side, 2e3 * std::pow(side, 3) / 8e14);
  request.gemm = {folder.write("square.csv", square)};
  CHECK_THROWS_AS(calibrate_ops(request), UserError);
  request.gemm.clear();
  request.collectives = {folder.write("short.csv", "op_name,nccl_dtype,num_gpus,message_bytes,latency\nall_gather,half,8,512,0.01\n")};
  CHECK_THROWS_WITH(calibrate_ops(request), Catch::Contains("all_gather among 8 GPUs: 1 sizes"));
  std::string flat = "op_name,nccl_dtype,num_gpus,message_bytes,latency\n";
  for (int s = 512; s < 600000; s *= 2) flat += fmt::format("all_gather,half,8,{},0.01\n", s);
  request.collectives = {folder.write("flat.csv", flat)};
  CHECK_THROWS_WITH(calibrate_ops(request), Catch::Contains("does not grow with the bytes"));
  request.collectives = {"/no/such/table.csv"};
  CHECK_THROWS_WITH(calibrate_ops(request), Catch::Contains("/no/such/table.csv"));
}
