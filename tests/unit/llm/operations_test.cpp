#include "llm/operations.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "llm/parameters.hpp"
#include "unit/llm/shipped.hpp"

using namespace joulecast;
using namespace joulecast::llm;
using test::shipped;

namespace {

/// FLOPs and bytes of B of all GEMMs of a step but lm_head.
struct Sums {
  double flops = 0, weights = 0;
};
Sums sums(const StepOperations& step) {
  Sums result;
  for (const auto& each : step.gemms) {
    const auto times = static_cast<double>(each.times);
    result.flops += times * each.gemm.flops();
    result.weights += times * each.gemm.groups * each.gemm.weight_bytes * static_cast<double>(each.gemm.n * each.gemm.k);
  }
  return result;
}

double matrices(const ParameterCounts& counts) {
  return static_cast<double>(counts.attention + counts.feed_forward + counts.shared_experts + counts.experts + counts.router);
}

}  // namespace

TEST_CASE("distinct experts: E(1 - (1 - k/E)^T), k for one token, all for many") {
  CHECK(distinct_experts(128, 8, 1) == Approx(8));
  CHECK(distinct_experts(128, 8, 2) == Approx(16 - 64.0 / 128));
  CHECK(distinct_experts(16, 1, 1'000'000) == Approx(16));
  CHECK(distinct_experts(8, 8, 3) == 8);
  CHECK(distinct_experts(8, 2, 0) == 0);
}

TEST_CASE("decode bytes of a mixture of experts lie between the active and all weights, and rise with the batch") {
  for (const char* file : {"mixtral-8x7b", "qwen3-235b-a22b", "gpt-oss-120b", "llama-4-maverick", "deepseek-v3"}) {
    INFO(file);
    const auto model = shipped(file);
    const auto counts = parameter_counts(model);
    const auto& experts = *model.experts;
    const double stored = static_cast<double>(counts.experts) * bytes(model.weights.experts);
    const double rest = static_cast<double>(counts.attention + counts.feed_forward + counts.shared_experts) * bytes(model.weights.linear) +
                        static_cast<double>(counts.router - (experts.router_bias ? experts.count * model.layers : 0)) * bytes(model.dtype);
    double before = 0;
    CHECK(sums(step_operations(model, 1, 2, 2)).weights > sums(step_operations(model, 1, 1, 1)).weights);
    for (const std::int64_t batch : {1, 8, 64, 512, 4096}) {
      const double read = sums(step_operations(model, 1, batch, batch)).weights;
      const double active = rest + stored * static_cast<double>(experts.per_token) / static_cast<double>(experts.count);
      CHECK(read >= active * (1 - 1e-3));
      CHECK(read <= (rest + stored) * (1 + 1e-3));
      CHECK(read >= before);
      before = read;
      if (batch == 1) CHECK(read == Approx(active).epsilon(1e-3));
      if (batch == 4096) CHECK(read == Approx(rest + stored).epsilon(1e-3));
    }
  }
}

TEST_CASE("a token's FLOPs are twice the matrices that it goes through") {
  for (const char* file :
       {"llama-3.1-8b", "mixtral-8x22b", "qwen3-30b-a3b", "llama-4-scout", "llama-4-maverick", "deepseek-v3", "gpt-oss-20b", "gemma-3-12b"}) {
    INFO(file);
    const auto model = shipped(file);
    const auto counts = parameter_counts(model);
    double through = matrices(counts);
    if (model.experts) {
      through -=
          static_cast<double>(counts.experts) * (1 - static_cast<double>(model.experts->per_token) / static_cast<double>(model.experts->count));
    }
    const double bias = model.experts && model.experts->router_bias ? 1e-6 : 1e-12;
    CHECK(sums(step_operations(model, 1, 32, 0)).flops == Approx(2 * 32 * through).epsilon(bias));
  }
}

TEST_CASE("two slices of a mixture: cut experts and whole experts share the same work; routers and latents are done by each GPU") {
  const auto model = shipped("qwen3-235b-a22b");
  const auto counts = parameter_counts(model);
  const double router = 2 * 64 * static_cast<double>(counts.router);
  const double alone = sums(step_operations(model, 1, 64, 0)).flops;
  for (const auto split : {ExpertSplit::tensor, ExpertSplit::expert}) {
    const auto part = sums(step_operations(model, 4, 64, 0, split));
    CHECK(4 * part.flops == Approx(alone + 3 * router));
  }
  // The expected weights read are the same; the shapes differ: 16 cut matrices against 4 whole ones.
  const auto cut = sums(step_operations(model, 4, 64, 0, ExpertSplit::tensor)).weights;
  const auto whole = sums(step_operations(model, 4, 64, 0, ExpertSplit::expert)).weights;
  CHECK(cut == Approx(whole));
  CHECK_THROWS_AS(check_tensor_parallel(shipped("qwen3-coder-480b-a35b"), 3, {}, ExpertSplit::expert), UserError);
  CHECK_NOTHROW(check_tensor_parallel(shipped("qwen3-coder-480b-a35b"), 8, {}, ExpertSplit::expert));
}

TEST_CASE("latent attention decodes over the latent: 576 elements read and 128 heads of 1088 products; prompts over 192 and 128") {
  const auto shape = attention_shape(shipped("deepseek-v3"), 1);
  CHECK(shape.latent);
  CHECK(shape.cached == 576);
  CHECK(shape.decode_products == 128 * (576 + 512));
  CHECK(shape.prompt_products == 128 * (192 + 128));
  CHECK(attention_shape(shipped("deepseek-v3"), 8).cached == 576);
  CHECK(attention_shape(shipped("deepseek-v3"), 8).decode_products == 16 * 1088);
  CHECK(attention_shape(shipped("llama-3.1-70b"), 4).cached == 2 * 2 * 128);
}

TEST_CASE("tokens seen by a prompt: half a square, cut off by a window") {
  CHECK(tokens_seen(100, 0, 0) == 5000);
  CHECK(tokens_seen(100, 50, 0) == 100 * 100);
  CHECK(tokens_seen(100, 0, 200) == 5000);
  // 40 tokens grow to the window, 60 see it whole: 40*20 + 60*40.
  CHECK(tokens_seen(100, 0, 40) == 3200);
  // All beyond the window.
  CHECK(tokens_seen(100, 70, 40) == 4000);
  // Continuous at the window.
  CHECK(tokens_seen(10, 90, 100) == Approx(tokens_seen(10, 90, 0)));
  CHECK(tokens_seen(10, 90.001, 100) == Approx(tokens_seen(10, 90, 100)).epsilon(1e-4));
}

TEST_CASE("elementwise bytes of a dense step, by hand") {
  // small(): a token moves 2*4*512 (norms) + 2*(8+2)*64 (rotary) + 4*2*64 (cache) + 3*1024 (activation) values a layer, 4 layers; 6*512 of embedding
  // and final norm; two bytes each. A sampled sequence 14 bytes a logit.
  const auto step = step_operations(test::small(), 1, 10, 3);
  CHECK(step.token_elementwise_bytes == 2.0 * 10 * (4 * (4096 + 1280 + 512 + 3072) + 3072));
  CHECK(step.sequence_elementwise_bytes == 14.0 * 3 * 1000);
}

TEST_CASE("elementwise bytes grow with what a model has: head norms, experts") {
  auto model = test::small();
  const double plain = step_operations(model, 1, 10, 0).token_elementwise_bytes;
  model.qk_norm = true;
  CHECK(step_operations(model, 1, 10, 0).token_elementwise_bytes - plain == 2.0 * 10 * 4 * 2 * 10 * 64);
  model.qk_norm = false;
  // Four experts of 256, two a token: activations 2*3*256 and the sum (2 + 1)*512 in place of 3*1024.
  model.experts = Experts{4, 2, 0, 256};
  CHECK(step_operations(model, 1, 10, 0).token_elementwise_bytes - plain == 2.0 * 10 * 4 * (1536 + 1536 - 3072));
}

TEST_CASE("GEMM bytes: inputs and output in activations, weights as stored, those of each group once") {
  const Gemm gemm{8, 16, 32, 0.5, 3};
  CHECK(gemm.bytes(2) == 2 * (8 * 32 + 8 * 16) + 0.5 * 3 * 16 * 32);
  CHECK(gemm.flops() == 2 * 8 * 16 * 32);
}
