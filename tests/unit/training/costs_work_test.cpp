// The work of a layer against the closed forms of the literature, and parameters against the model's own count.
#include <catch2/catch.hpp>
#include <numeric>

#include "training/flops.hpp"
#include "training/layer_work.hpp"
#include "training/rank_groups.hpp"
#include "training/stage_parameters.hpp"
#include "unit/training/costs_support.hpp"

using namespace joulecast;
using namespace joulecast::training;

namespace {

double matrix_flops(const LayerWork& work) {
  double flops = 0;
  for (const auto& each : work.matrices) flops += each.times * each.flops();
  return flops;
}

}  // namespace

TEST_CASE("a GPT layer does 24 b s h^2 of GEMMs and 4 b s^2 h of scores, over t") {
  const auto model = model_named("GPT-3-175B");
  Layout layout = one_gpu(2);
  layout.micro_batch_size = 2;
  const double b = 2, s = 2048, h = 12288;
  for (const std::int64_t t : {1, 8}) {
    layout.tensor = t;
    const auto work = layer_work(model, {false, 0}, layout);
    CHECK(matrix_flops(work) == Approx(24 * b * s * h * h / static_cast<double>(t)));
    REQUIRE(work.scores.size() == 1);
    const auto& scores = work.scores.front();
    CHECK(2 * scores.sequences * scores.heads * scores.rows * scores.columns * (scores.query_head + scores.value_head) ==
          Approx(4 * b * s * s * h / static_cast<double>(t)));
    CHECK(scores.seen == 0.5);
    CHECK(work.elementwise_bytes == Approx(22 * b * s * h + 16 * b * s * h / static_cast<double>(t)));
    CHECK(work.residual_bytes == Approx(2 * b * s * h));
    CHECK(work.all_reduces == 2);
  }
  layout.sequence_parallel = true;
  CHECK(layer_work(model, {false, 0}, layout).elementwise_bytes == Approx(38 * b * s * h / 8));
}

TEST_CASE("an iteration's model FLOPs are 72 B s l h^2 (1 + s/(6h) + V/(12 l h)); full recompute makes it 96 but for the logits") {
  // Narayanan et al., arXiv 2104.04473, section 5.1: 96 B s l h^2 (1 + s/(6 h) + V/(16 l h)) with recompute, where 72 V B s h / 12 = 6 B s h V are
  // logits.
  const auto model = model_named("Megatron-530B");
  Layout layout = one_gpu(280);
  layout.tensor = 8;
  layout.pipeline = 35;
  layout.flash_attention = false;
  const double B = 280, s = 2048, l = 105, h = 20480, V = 51200;
  CHECK(iteration_flops(model, layout).model == Approx(72 * B * s * l * h * h * (1 + s / (6 * h) + V / (12 * l * h))));
  CHECK(iteration_flops(model, layout).hardware == iteration_flops(model, layout).model);
  layout.recompute = Recompute::full;
  const auto flops = iteration_flops(model, layout);
  CHECK(flops.hardware == Approx(96 * B * s * l * h * h * (1 + s / (6 * h) + V / (16 * l * h))));
  layout.recompute = Recompute::selective;
  CHECK(iteration_flops(model, layout).hardware - flops.model == Approx(4 * B * s * s * h * l));

  // PaLM's definition: 49.05 s on 280 A100 at 312 TFLOP/s.
  const auto use = utilisation(flops, 49.05, 280, FlopsPerSecond(312e12));
  CHECK(use.mfu == Approx(flops.model / (49.05 * 280 * 312e12)));
  CHECK(use.hfu / use.mfu == Approx(flops.hardware / flops.model));
}

TEST_CASE("frozen weights leave a third of their work out") {
  const auto model = model_named("meta-llama/Llama-2-70b-hf");
  Layout layout = one_gpu(8);
  layout.tensor = 8;
  const auto pretrain = iteration_flops(model, layout).model;
  layout.method = Method::lora;
  const auto lora = iteration_flops(model, layout).model;
  CHECK(lora < 0.70 * pretrain);
  CHECK(lora > 0.66 * pretrain);
}

TEST_CASE("a token meets per_token of the experts, wherever they lie") {
  // Mixtral: 8 experts of 14336, 2 a token: the feed-forward FLOPs of two dense layers and a router.
  const auto model = model_named("mistralai/Mixtral-8x7B-v0.1");
  Layout layout = one_gpu(8);
  const double s = 2048, h = 4096;
  const double attention = 2 * s * h * (2 * 4096 + 2 * 1024), experts = 2 * s * 3 * h * 14336 * 2, router = 2 * s * h * 8;
  CHECK(matrix_flops(layer_work(model, {false, 0}, layout)) == Approx(attention + experts + router));
  CHECK(layer_work(model, {false, 0}, layout).all_to_all_bytes == 0);
  layout.data = layout.expert = 8;
  const auto spread = layer_work(model, {false, 0}, layout);
  CHECK(matrix_flops(spread) == Approx(attention + experts + router));
  CHECK(spread.all_to_all_bytes == Approx(2 * 2 * s * h));
}

TEST_CASE("layers of an encoder and a decoder, and dense layers among experts, are told apart") {
  const auto t5 = model_named("google-t5/t5-3b");
  CHECK(pipeline_layers(t5) == 48);
  CHECK(layer_kind(t5, 23) == LayerKind{true, 0});
  CHECK(layer_kind(t5, 30) == LayerKind{false, 0});
  CHECK(layer_work(t5, {true, 0}, one_gpu()).scores.size() == 1);
  CHECK(layer_work(t5, {false, 0}, one_gpu()).scores.size() == 2);
  const auto maverick = model_named("meta-llama/Llama-4-Maverick-17B-128E-Instruct");
  CHECK_FALSE(layer_kind(maverick, 0) == layer_kind(maverick, 1));
}

TEST_CASE("stages hold the model's parameters, and tied embeddings twice") {
  Layout layout = one_gpu(8);
  for (const std::string name :
       {"GPT-3-175B", "meta-llama/Llama-3.1-405B", "mistralai/Mixtral-8x7B-v0.1", "deepseek-ai/DeepSeek-V3", "google-t5/t5-3b"}) {
    const auto model = model_named(name);
    CAPTURE(name);
    layout.pipeline = 1;
    CHECK(stage_parameters(model, layout).front().total() == Approx(static_cast<double>(model.parameters())).epsilon(1e-4));
    layout.pipeline = 2;
    layout.layers_of = {pipeline_layers(model) / 2, pipeline_layers(model) - pipeline_layers(model) / 2};
    const auto two = stage_parameters(model, layout);
    const double copy = model.tied ? static_cast<double>(model.vocab * model.hidden) : 0;
    CHECK(two[0].total() + two[1].total() == Approx(static_cast<double>(model.parameters()) + copy).epsilon(1e-4));
    layout.layers_of.clear();
  }
}

TEST_CASE("adapters are r (in + out) of attention's projections") {
  const auto model = model_named("meta-llama/Llama-2-70b-hf");
  Layout layout = one_gpu(8);
  layout.method = Method::lora;
  const double qkv = 16.0 * (8192 + (64 + 2 * 8) * 128), output = 16.0 * (8192 + 8192);
  CHECK(stage_parameters(model, layout).front().adapters == Approx(80 * (qkv + output)));
}

TEST_CASE("ranks lie tensor-parallel fastest, then context, data and pipeline") {
  Layout layout;
  layout.tensor = 4;
  layout.data = 8;
  layout.pipeline = 8;
  const auto groups = rank_groups(layout, 8);
  const auto is = [](const hardware::RankGroup& group, std::int64_t ranks, std::int64_t per_node, std::int64_t groups_per_node) {
    return group.ranks == ranks && group.ranks_per_node == per_node && group.groups_per_node == groups_per_node;
  };
  CHECK(is(groups.tensor, 4, 4, 2));
  CHECK(is(groups.gradient, 8, 2, 4));  // two replicas a node, one ring a tensor rank
  CHECK(is(groups.stages, 2, 1, 8));    // each stage fills four nodes
  CHECK(in_node(groups.tensor));
  CHECK_FALSE(in_node(groups.gradient));
  layout.tensor = 16;
  CHECK(is(rank_groups(layout, 8).tensor, 16, 8, 1));
  layout = Layout{};
  layout.pipeline = 4;
  CHECK(in_node(rank_groups(layout, 8).stages));
}
