#include "llm/parameters.hpp"

#include <catch2/catch.hpp>

#include "llm/layers.hpp"
#include "llm/split.hpp"
#include "unit/llm/shipped.hpp"

using namespace joulecast;
using namespace joulecast::llm;
using test::shipped;

TEST_CASE("Mixtral-8x7B by hand: eight experts of three matrices, a router, grouped-query attention") {
  // layer: 4096*128*(2*32 + 2*8) attention, 8 * 3*4096*14336 experts, 4096*8 router, 2*4096 norms; 2*32000*4096 embeddings; 4096.
  const auto counts = parameter_counts(shipped("mixtral-8x7b"));
  CHECK(counts.attention == 32 * 41'943'040LL);
  CHECK(counts.experts == 32 * 1'409'286'144LL);
  CHECK(counts.router == 32 * 32'768);
  CHECK(counts.vectors == 32 * 8192 + 4096);
  CHECK(counts.embedding + counts.unembedding == 262'144'000);
  CHECK(counts.feed_forward + counts.shared_experts + counts.other + counts.mamba == 0);
  // Two of eight experts.
  const auto model = shipped("mixtral-8x7b");
  CHECK(model.parameters() - model.active_parameters() == 6 * counts.experts / 8);
}

TEST_CASE("DeepSeek-V3 by hand: a layer's latent attention, and 3 dense of 61 layers") {
  const auto model = shipped("deepseek-v3");
  // 7168*1536 + 1536*128*192 (queries), 7168*576 + 512*128*256 (keys, values), 128*128*7168 (output).
  const std::int64_t attention = 11'010'048LL + 37'748'736 + 4'128'768 + 16'777'216 + 117'440'512;
  CHECK(layer_parameters(model, 0).attention == attention);
  CHECK(layer_parameters(model, 2).feed_forward == 3LL * 7168 * 18432);
  CHECK(layer_parameters(model, 2).experts == 0);
  CHECK(layer_parameters(model, 3).experts == 256 * 3LL * 7168 * 2048);
  CHECK(layer_parameters(model, 3).shared_experts == 3LL * 7168 * 2048);
  CHECK(layer_parameters(model, 3).router == 256 * 7168 + 256);
  CHECK(count_layers(model).experts == 58);
}

TEST_CASE("layers: Maverick alternates from a dense one, gemma begins with five local ones, gpt-oss with one") {
  const auto maverick = shipped("llama-4-maverick");
  CHECK(layer(maverick, 0).feed_forward == Layer::FeedForward::dense);
  CHECK(layer(maverick, 1).feed_forward == Layer::FeedForward::experts);
  CHECK(count_layers(maverick).dense == 24);
  CHECK(count_layers(maverick).local == 36);
  const auto gemma = shipped("gemma-3-27b");
  for (const std::int64_t i : {0, 4, 6}) CHECK(layer(gemma, i).local);
  CHECK_FALSE(layer(gemma, 5).local);
  CHECK(count_layers(gemma).local == 52);
  CHECK(count_layers(shipped("gemma-3-12b")).local == 40);
  CHECK(layer(shipped("gpt-oss-20b"), 0).local);
  CHECK_FALSE(layer(shipped("gpt-oss-20b"), 1).local);
  CHECK(count_layers(shipped("mistral-7b-v0.1")).local == 32);
  CHECK(count_layers(shipped("nemotron-nano-9b-v2")).mamba == 27);
  CHECK(count_layers(shipped("nemotron-nano-9b-v2")).attention == 4);
  CHECK(count_layers(shipped("t5-3b")).cross == 24);
}

TEST_CASE("bytes of weights are those of the checkpoint's types") {
  // bf16 throughout: two bytes a parameter.
  CHECK(shipped("llama-3.1-70b").weight_bytes() == 2 * shipped("llama-3.1-70b").parameters());
  CHECK(shipped("bert-huge-uncased").weight_bytes() == 4 * shipped("bert-huge-uncased").parameters());
  // DeepSeek-V3: one byte but for embeddings, routers and norms.
  const auto deepseek = shipped("deepseek-v3");
  const auto parts = parameter_counts(deepseek);
  CHECK(deepseek.weight_bytes() == deepseek.parameters() + parts.embedding + parts.unembedding + parts.router + parts.vectors);
  // gpt-oss-120b: 4.25 bits an expert weight, two bytes for the rest: 114.7e9 * 0.53125 + 2.2e9 * 2, the checkpoint is 65 GB.
  const double gpt_oss = static_cast<double>(shipped("gpt-oss-120b").weight_bytes());
  CHECK(gpt_oss == Approx(65.2e9).epsilon(0.01));
}

TEST_CASE("each GPU holds routers and latent down-projections whole") {
  const auto model = shipped("deepseek-v3");
  // 61 * 7168*(1536 + 576) bytes in fp8 and 58 routers of 256*7168 + 256 values of two bytes.
  const double whole = 61.0 * 7168 * 2112 + 58.0 * (256 * 7168 + 256) * 2;
  CHECK(model.weight_bytes_per_gpu(1) == Approx(static_cast<double>(model.weight_bytes())));
  CHECK(model.weight_bytes_per_gpu(8) * 8 == Approx(static_cast<double>(model.weight_bytes()) + 7 * whole));
  const auto dense = shipped("llama-3.1-70b");
  CHECK(dense.weight_bytes_per_gpu(4) == static_cast<double>(dense.weight_bytes()) / 4);
}

TEST_CASE("quantized keeps the shape and changes the matrices' bytes") {
  const auto model = shipped("llama-3.1-70b");
  const auto fp8 = quantized(model, DataType::fp8);
  CHECK(fp8.parameters() == model.parameters());
  CHECK(fp8.kv_bytes_per_token() == model.kv_bytes_per_token());
  const auto parts = parameter_counts(model);
  CHECK(model.weight_bytes() - fp8.weight_bytes() == parts.attention + parts.feed_forward);
}

TEST_CASE("the cache: 35136 elements a token for a latent, one whole copy on each GPU; windows hold no more than they see") {
  const auto deepseek = shipped("deepseek-v3");
  CHECK(deepseek.kv_elements_per_token() == 35'136);
  CHECK(deepseek.kv_bytes_per_token_per_gpu(8) == 2 * 35'136);
  const auto gemma = shipped("gemma-3-27b");
  const std::int64_t layer = 2 * 16 * 128;
  CHECK(gemma.kv_elements(1000) == 62 * layer * 1000);
  CHECK(gemma.kv_elements(8192) == 10 * layer * 8192 + 52 * layer * 1024);
  CHECK(shipped("bert-huge-uncased").kv_elements_per_token() == 0);
}

TEST_CASE("what serving can't express is refused by name") {
  const auto part = [](const char* file) -> std::string {
    try {
      check_servable(shipped(file), Place{"scenario.toml", 3, 1});
    } catch (const UserError& error) {
      return error.what();
    }
    return "";
  };
  CHECK_THAT(part("bert-huge-uncased"), Catch::Contains("scenario.toml:3:1") && Catch::Contains("BERT-huge-uncased") && Catch::Contains("encoder"));
  CHECK_THAT(part("t5-3b"), Catch::Contains("cross-attention"));
  CHECK_THAT(part("nemotron-nano-9b-v2"), Catch::Contains("Mamba-2 state of 27 of its 56 layers"));
  CHECK(part("deepseek-v3").empty());
  CHECK(part("gpt-3-175b").empty());
}
