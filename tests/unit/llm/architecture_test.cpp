#include <catch2/catch.hpp>

#include "llm/operations.hpp"
#include "unit/llm/shipped.hpp"

using namespace joulecast;
using namespace joulecast::llm;
using test::shipped;

TEST_CASE("parameters and KV elements of the shipped shapes, counted by hand") {
  CHECK(shipped("llama-3.1-8b").parameters() == 8'030'261'248);
  CHECK(shipped("llama-3.1-70b").parameters() == 70'553'706'496);
  CHECK(shipped("llama-2-7b").parameters() == 6'738'415'616);
  CHECK(shipped("llama-3.1-8b").kv_elements_per_token() == 65'536);
  CHECK(shipped("llama-3.1-70b").kv_elements_per_token() == 163'840);
  CHECK(shipped("llama-2-7b").kv_elements_per_token() == 262'144);
  CHECK(shipped("llama-3.1-8b").kv_bytes_per_token() == 131'072);
}

TEST_CASE("tensor parallelism must divide the heads; KV heads are replicated where there are fewer") {
  const auto model = shipped("llama-3.1-70b");
  CHECK_NOTHROW(check_tensor_parallel(model, 8, {}));
  CHECK_THROWS_AS(check_tensor_parallel(model, 3, {}), UserError);
  CHECK_THROWS_AS(check_tensor_parallel(model, 0, {}), UserError);
  CHECK(model.kv_heads_per_gpu(4) == 2);
  CHECK(model.kv_heads_per_gpu(16) == 1);
  CHECK(model.kv_bytes_per_token_per_gpu(16) == model.kv_bytes_per_token_per_gpu(8));
}

TEST_CASE("Falcon-7B has one KV head, whatever its published config says") {
  const auto model = shipped("falcon-7b");
  CHECK(model.kv_heads == 1);
  CHECK(model.kv_elements_per_token() == 2 * 32 * 64);
  CHECK_THROWS_AS(check_tensor_parallel(model, 2, {}), UserError);  // 71 heads
}

TEST_CASE("a step's GEMMs hold every weight of a GPU once") {
  const auto model = shipped("llama-3.1-70b");
  for (const int t : {1, 2, 4, 8}) {
    const auto step = step_operations(model, t, 16, 16);
    std::int64_t weights = 0;
    for (const auto& each : step.gemms) weights += each.times * each.gemm.n * each.gemm.k;
    weights += step.lm_head.n * step.lm_head.k;
    const auto norms_and_embedding = model.hidden * (2 * model.layers + 1) + model.vocab * model.hidden;
    CHECK(weights * t == model.parameters() - norms_and_embedding);
    CHECK(step.attention.heads == 64 / t);
    CHECK(step.all_reduces == (t == 1 ? 0 : 161));
    CHECK(step.all_reduce_bytes == 16 * 8192 * 2);
  }
}

TEST_CASE("blocks that run side by side need one all-reduce a layer") { CHECK(step_operations(shipped("falcon-40b"), 8, 16, 16).all_reduces == 61); }

TEST_CASE("tokens are padded to the next CUDA-graph size") {
  CHECK(cuda_graph_tokens(1) == 1);
  CHECK(cuda_graph_tokens(3) == 4);
  CHECK(cuda_graph_tokens(5) == 8);
  CHECK(cuda_graph_tokens(8) == 8);
  CHECK(cuda_graph_tokens(9) == 16);
  CHECK(cuda_graph_tokens(250) == 256);
  CHECK(cuda_graph_tokens(257) == 272);
  CHECK(cuda_graph_tokens(512) == 512);
  CHECK(cuda_graph_tokens(513) == 513);
}
