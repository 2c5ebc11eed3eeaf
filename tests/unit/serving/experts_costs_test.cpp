#include <catch2/catch.hpp>
#include <cmath>

#include "hardware/forms.hpp"
#include "llm/operations.hpp"
#include "serving/cost/bottom_up.hpp"
#include "serving/cost/pool_costs.hpp"
#include "unit/serving/shipped.hpp"

using namespace joulecast;
using namespace joulecast::serving;

namespace {

/// Seconds of a class over a list of operations.
double seconds_of(const std::vector<OperationTime>& operations, Work work) {
  double sum = 0;
  for (const auto& each : operations) sum += each.work == work ? each.times * each.timing.total : 0;
  return sum;
}

double decode_joules(const StepCosts& costs, int n, std::int64_t mean) {
  const auto& segment = costs.decode(Phase::decode, n, n * mean);
  return (segment.base_joules + n * mean * segment.attention_joules_per_context).units();
}

}  // namespace

TEST_CASE("Mixtral's GEMMs for one token by hand: two experts' matrices, one router, one attention") {
  const auto gpu = test::gpu("h100-sxm");
  const auto times = bottom_up_times(gpu, test::model("mixtral-8x7b"), 1);
  const auto gemm = [&](double m, double n, double k, double matrices) {
    return hardware::gemm_timing(gpu, 2 * m * n * k, 2 * (m * k + m * n) + 2 * matrices * n * k).total;
  };
  const double by_hand =
      32 * (gemm(1, 6144, 4096, 1) + gemm(1, 4096, 4096, 1) + gemm(1, 8, 4096, 1) + gemm(2, 28672, 4096, 2) + gemm(2, 4096, 14336, 2));
  CHECK(seconds_of(times->of_tokens(1), Work::gemm) == Approx(by_hand));
}

TEST_CASE("a mixture's decode step lies between that of its active and of all its weights, and costs less a token in a batch") {
  const auto gpu = test::gpu("h100-sxm");
  const auto model = test::model("qwen3-30b-a3b");
  const auto times = bottom_up_times(gpu, model, 1);
  const double bandwidth = gpu.gemm.memory_efficiency.value * gpu.memory_bandwidth.value.si();
  const double all = static_cast<double>(model.weight_bytes()) / bandwidth, active = 2 * static_cast<double>(model.active_parameters()) / bandwidth;
  double before = 0;
  for (const std::int64_t tokens : {1, 8, 64, 256}) {
    const double seconds = seconds_of(times->of_tokens(tokens), Work::gemm);
    CHECK(seconds > before);
    CHECK(seconds < 1.3 * all);
    CHECK(seconds > 0.8 * active);
    before = seconds;
  }
  // 256 tokens reach all but (1 - 8/128)^256 of the experts: what is read is nearly all.
  CHECK(before > 0.95 * all);

  EngineConfig engine;
  engine.max_model_len = 8192;
  const auto costs = bottom_up_costs(gpu, model, 1, default_point(gpu), engine);
  double joules = 1e9;
  for (const int n : {1, 4, 16, 64, 256}) {
    const double each = decode_joules(*costs, n, 500) / n;
    CHECK(each < joules);
    joules = each;
  }
}

TEST_CASE("weights in fewer bytes shorten decode, and leave compute-bound prompts alone") {
  const auto gpu = test::gpu("h100-sxm");
  const auto model = test::model("llama-3.1-70b");
  const auto bf16 = bottom_up_times(gpu, model, 4), fp8 = bottom_up_times(gpu, llm::quantized(model, llm::DataType::fp8), 4);
  const auto ratio = [&](std::int64_t tokens) {
    return seconds_of(fp8->of_tokens(tokens), Work::gemm) / seconds_of(bf16->of_tokens(tokens), Work::gemm);
  };
  CHECK(ratio(8) < 0.6);
  CHECK(ratio(8) > 0.5);
  CHECK(ratio(8192) > 0.97);
  CHECK(fp8->provenance(Work::gemm) == Provenance::modelled);
}

TEST_CASE("whole experts on each GPU: the same all-reduces and the wait for the fullest rank, GEMMs of other shapes") {
  const auto gpu = test::gpu("h100-sxm");
  const auto model = test::model("qwen3-235b-a22b");
  const auto cut = bottom_up_times(gpu, model, 8), whole = bottom_up_times(gpu, model, 8, llm::ExpertSplit::expert);
  const auto step = llm::step_operations(model, 8, 64, 0, llm::ExpertSplit::expert);
  double experts = 0;
  for (const auto& each : step.gemms) {
    if (each.experts) experts += static_cast<double>(each.times) * hardware::gemm_timing(gpu, each.gemm.flops(), each.gemm.bytes(2)).total;
  }
  const double wait = experts * (llm::fullest_rank_over_mean(128, 8, 64, 8) - 1);
  CHECK(wait > 0);
  CHECK(seconds_of(whole->of_tokens(64), Work::collective) == Approx(seconds_of(cut->of_tokens(64), Work::collective) + wait));
  CHECK(seconds_of(cut->of_tokens(64), Work::gemm) == Approx(seconds_of(whole->of_tokens(64), Work::gemm)).epsilon(0.1));
  EngineConfig engine;
  engine.max_model_len = 8192;
  engine.enable_expert_parallel = true;
  CHECK_NOTHROW(bottom_up_costs(gpu, model, 8, default_point(gpu), engine));
}

TEST_CASE("the fullest of 8 ranks: nobody waits alone or where all experts are read, and at most for a rank of all") {
  CHECK(llm::fullest_rank_over_mean(128, 8, 64, 1) == 1);
  CHECK(llm::fullest_rank_over_mean(128, 8, 4096, 8) == Approx(1).epsilon(1e-9));
  // 8 tokens reach a share q = 1 - (1 - 1/16)^8 of the experts; 16 a rank, mean 16 q, variance 16 q (1 - q).
  const double q = 1 - std::pow(1 - 1.0 / 16, 8);
  CHECK(llm::fullest_rank_over_mean(128, 8, 8, 8) == Approx(1 + 1.4236 * std::sqrt(16 * q * (1 - q)) / (16 * q)));
  CHECK(llm::fullest_rank_over_mean(16, 1, 1, 8) <= 16.0);
}

TEST_CASE("a mixture's cost beside its GEMMs, and a shared host, by the profile's figures") {
  auto gpu = test::gpu("b200-sxm");
  gpu.mixture.emplace();
  gpu.mixture->layer.value = Seconds(20e-6);
  gpu.mixture->top1_layer.value = Seconds(100e-6);
  gpu.mixture->quantized_layer.value = Seconds(50e-6);
  gpu.mixture->visit.value = Seconds(3e-9);
  gpu.contention.emplace();
  gpu.contention->root.value = Seconds(0.5e-3);
  gpu.contention->long_outputs.value = Seconds(20e-3);
  auto bare = gpu;
  bare.mixture.reset();
  const auto more = [&](const char* file, int gpus, Work work) {
    const auto model = test::model(file);
    return seconds_of(bottom_up_times(gpu, model, gpus)->of_tokens(64), work) - seconds_of(bottom_up_times(bare, model, gpus)->of_tokens(64), work);
  };
  CHECK(more("qwen3-30b-a3b", 1, Work::elementwise) == Approx(48 * (20e-6 + 64 * 8 * 3e-9)));
  CHECK(more("qwen3-235b-a22b-2507-fp8", 4, Work::elementwise) == Approx(94 * (20e-6 + 64 * 8 * 3e-9) + 94 * 50e-6));
  CHECK(more("llama-4-scout", 4, Work::host) == Approx(48 * 100e-6));
  CHECK(more("llama-3.1-8b", 1, Work::elementwise) == 0);

  const auto model = test::model("qwen3-8b");
  const auto host = [&](HostLoad load) {
    return seconds_of(bottom_up_times(gpu, model, 1, llm::ExpertSplit::tensor, load)->of_sequences(64), Work::host);
  };
  CHECK(host(HostLoad::shared) - host(HostLoad::exclusive) == Approx(0.5e-3 * 8));
  CHECK(host(HostLoad::shared_long_outputs) - host(HostLoad::shared) == Approx(20e-3));
}

TEST_CASE("models that serving can't express are refused") {
  const auto gpu = test::gpu("h100-sxm");
  for (const char* file : {"bert-huge-uncased", "t5-3b", "nemotron-nano-12b-v2"}) {
    CHECK_THROWS_AS(bottom_up_times(gpu, test::model(file), 1), UserError);
    CHECK_THROWS_AS(kv_blocks(gpu, test::model(file), 1, EngineConfig{}, 0.9, {}), UserError);
  }
}

TEST_CASE("KV of DeepSeek-V3: 70272 bytes a token on each of 8 GPUs; the weights fit 141 GB, not 80") {
  const auto model = test::model("deepseek-v3");
  const auto footprint = kv_footprint(model, 8, EngineConfig{}, 30e9);
  CHECK(footprint.token_bytes == 2 * 35136);
  CHECK(footprint.reserved_bytes == 0);
  CHECK_THROWS_AS(kv_blocks(test::gpu("h100-sxm"), model, 8, EngineConfig{}, 0.9, {}), UserError);
  const auto h200 = test::gpu("h200-sxm");
  const double left =
      0.9 * h200.memory.value.si() - model.weight_bytes_per_gpu(8) - h200.overhead.engine.value.si() - h200.overhead.collectives.value.si();
  CHECK(kv_blocks(h200, model, 8, EngineConfig{}, 0.9, {}) == static_cast<std::int64_t>(left / (16 * 70272)));
}

TEST_CASE("windows: the better of keeping every token and of setting a window aside for each sequence") {
  // gpt-oss-20b: a token takes 2*8*64 values of 2 bytes in each of 24 layers, 12 of them local.
  const auto model = test::model("gpt-oss-20b");
  const double layer = 2 * 8 * 64 * 2;
  EngineConfig engine;
  engine.max_model_len = 131072;
  const auto small_windows = kv_footprint(model, 1, engine, 40e9);
  CHECK(small_windows.token_bytes == 12 * layer);
  CHECK(small_windows.reserved_bytes == 256 * 12 * layer * (128 + 16));
  // gemma-3-27b's windows of 1024 for 256 sequences would take 112 GB: every token is kept instead; for 8 sequences they pay.
  const auto gemma = test::model("gemma-3-27b");
  CHECK(kv_footprint(gemma, 1, engine, 20e9).token_bytes == 62 * 2 * 16 * 128 * 2);
  CHECK(kv_footprint(gemma, 1, engine, 20e9).reserved_bytes == 0);
  engine.max_num_seqs = 8;
  CHECK(kv_footprint(gemma, 1, engine, 20e9).token_bytes == 10 * 2 * 16 * 128 * 2);
  // Never more than what windows of running sequences take: capacity never falls by knowing them.
  for (const double bytes : {1e9, 5e9, 50e9}) {
    const auto footprint = kv_footprint(gemma, 1, engine, bytes);
    CHECK((bytes - footprint.reserved_bytes) / footprint.token_bytes >= bytes / (62 * 2 * 16 * 128 * 2));
  }
  // A dense model has nothing to set aside.
  CHECK(kv_footprint(test::model("llama-3.1-70b"), 4, engine, 20e9).token_bytes == 2 * 80 * 2 * 128 * 2);
}
