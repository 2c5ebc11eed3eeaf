// Fits on public tables, beside the figures that the shipped profiles carry. Needs the measured tables, which JOULECAST_DATA points to.
#include <catch2/catch.hpp>
#include <cmath>

#include "calibration/calibrate_ops.hpp"
#include "fit/held_out.hpp"
#include "hardware/forms.hpp"
#include "hardware/profiles.hpp"
#include "unit/calibration/tables.hpp"

using namespace joulecast;
using namespace joulecast::calibration;
using hardware::Collective;

namespace {

OpsRequest request_for(const std::string& name) {
  config::Diagnostics diagnostics;
  OpsRequest request;
  request.name = name;
  request.base = hardware::load_gpu(hardware::find_profile(hardware::gpu_folder("."), "GPU", name, {}), diagnostics);
  diagnostics.throw_if_failed();
  return request;
}

bool skip() {
  if (!measured_data().empty()) return false;
  WARN("skipped: JOULECAST_DATA names no folder of measured tables");
  return true;
}

/// Errors of a profile's own all-reduce form on the rows of a table from `least` bytes.
fit::RelativeErrors errors_of(const hardware::GpuProfile& gpu, std::int64_t gpus, const std::vector<CollectiveRow>& rows, double least) {
  std::vector<double> predicted, measured;
  for (const auto& row : rows) {
    if (row.bytes < least) continue;
    predicted.push_back(hardware::all_reduce_seconds(*hardware::find_all_reduce(gpu, gpus), row.bytes));
    measured.push_back(row.seconds);
  }
  return fit::relative_errors(predicted, measured);
}

}  // namespace

TEST_CASE("GEMM of H100 and A100: near the shipped figures, held-out error within 7 %", "[long]") {
  if (skip()) return;
  const std::string ops = measured_data() + "/ops/aiconfigurator/";
  auto h100 = request_for("H100 SXM");
  h100.gemm = {ops + "h100_sxm_gemm_vllm_0.24.0_gemm_perf.csv.gz"};
  const auto hopper = calibrate_ops(h100);
  CHECK(hopper.gemm->compute_efficiency == Approx(0.812).epsilon(0.03));
  CHECK(hopper.gemm->memory_efficiency == Approx(0.846).epsilon(0.10));
  CHECK(hopper.gemm->launch < 10e-6);
  CHECK(hopper.gemm->held_out.median < 0.06);
  auto a100 = request_for("A100 SXM 80");
  a100.gemm = {ops + "a100_sxm_gemm_vllm_0.14.0_gemm_perf.csv.gz"};
  const auto ampere = calibrate_ops(a100);
  CHECK(ampere.gemm->compute_efficiency == Approx(0.844).epsilon(0.03));
  CHECK(ampere.gemm->memory_efficiency == Approx(0.771).epsilon(0.10));
  CHECK(ampere.gemm->held_out.median < 0.07);
}

TEST_CASE("NCCL on H100 and A100: every form's held-out mean error within 15 %, all-reduce within 10 %") {
  if (skip()) return;
  const std::string ops = measured_data() + "/ops/aiconfigurator/";
  for (const auto& [name, table] : {std::pair{"H100 SXM", "h100_sxm_2.29.2_nccl.csv"}, {"A100 SXM 80", "a100_sxm_2.27.3_nccl.csv"}}) {
    auto request = request_for(name);
    request.collectives = {ops + table};
    const auto result = calibrate_ops(request);
    CHECK(result.collectives.size() == 12);
    for (const auto& fit : result.collectives) {
      CAPTURE(name, fit.gpus, hardware::name(fit.collective));
      CHECK(fit.rows == 21);
      CHECK(fit.held_out.mean < (fit.collective == Collective::all_reduce ? 0.10 : 0.15));
    }
  }
}

TEST_CASE("the shipped all-reduce forms keep to the tables: A100 to vTrain's from 4 MiB, H100 to NCCL's") {
  if (skip()) return;
  const auto a100 = request_for("A100 SXM 80").base;
  const auto h100 = request_for("H100 SXM").base;
  CollectiveRows nccl;
  TableSource source;
  read_collective_table(measured_data() + "/ops/aiconfigurator/h100_sxm_2.29.2_nccl.csv", 0, nccl, source);
  for (const std::int64_t gpus : {2, 4, 8}) {
    CAPTURE(gpus);
    CollectiveRows vtrain;
    read_collective_table(measured_data() + "/training/vtrain/AR_A100_GPU" + std::to_string(gpus) + ".csv", 0, vtrain, source);
    const auto large = errors_of(a100, gpus, vtrain.at({Collective::all_reduce, gpus}), 4 << 20);
    CHECK(large.median < 0.05);
    CHECK(large.p80 < 0.08);
    CHECK(errors_of(h100, gpus, nccl.at({Collective::all_reduce, gpus}), 0).median < 0.10);
  }
}

TEST_CASE("A40: GEMM and sends of vidur's tables fit a profile of their own", "[long]") {
  if (skip()) return;
  auto request = request_for("A40");
  for (const char* model : {"Qwen/Qwen-72B", "codellama/CodeLlama-34b-Instruct-hf", "meta-llama/Llama-2-70b-hf", "meta-llama/Llama-2-7b-hf"}) {
    request.gemm.push_back(measured_data() + "/ops/vidur/compute/a40/" + model + "/mlp.csv");
  }
  request.collectives = {measured_data() + "/ops/vidur/network/a40_pairwise_nvlink/send_recv.csv"};
  const auto result = calibrate_ops(request);
  CHECK(result.gemm->compute_efficiency > 0.5);
  CHECK(result.gemm->held_out.median < 0.10);
  REQUIRE(result.collectives.size() == 1);
  CHECK(result.collectives[0].collective == Collective::send);
  CHECK(result.collectives[0].held_out.median < 0.10);
}
