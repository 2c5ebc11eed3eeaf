// What a GPU holds, against the formulas of Korthikanti et al. (arXiv 2205.05198), and what is said where it does not fit.
#include <catch2/catch.hpp>

#include "training/memory.hpp"
#include "unit/training/costs_support.hpp"

using namespace joulecast;
using namespace joulecast::training;
using Catch::Contains;

namespace {

/// Megatron-22B, one stage on 8 GPUs, microbatch 4: s 2048, b 4, h 6144, a 64, l 48, t 8.
Layout layout_22b() {
  Layout layout;
  layout.tensor = 8;
  layout.global_batch_size = layout.micro_batch_size = 4;
  layout.seq_length = 2048;
  layout.flash_attention = false;
  return layout;
}

constexpr double s = 2048, b = 4, h = 6144, a = 64, l = 48, t = 8, v = 51200;
/// Embedding's dropout, and final norm, logits' input and logits.
const double kEnds = s * b * h / t + 4 * s * b * h / t * (1 + v / h);

double activations(const Layout& layout, double in_flight = 1) {
  return stage_memory(gpu_named("A100 SXM 80"), model_named("Megatron-22B"), layout, {in_flight}).front().activations;
}

}  // namespace

TEST_CASE("activations a layer are s b h (10 + 24/t + 5 a s/(h t)), and less by each technique") {
  auto layout = layout_22b();
  CHECK(activations(layout) == Approx(l * s * b * h * (10 + 24 / t + 5 * a * s / (h * t)) + kEnds));
  CHECK(activations(layout, 2) - activations(layout) == Approx(l * s * b * h * (10 + 24 / t + 5 * a * s / (h * t)) + s * b * h / t));
  layout.sequence_parallel = true;
  CHECK(activations(layout) == Approx(l * s * b * h / t * (34 + 5 * a * s / h) + kEnds));
  layout.recompute = Recompute::selective;
  CHECK(activations(layout) == Approx(34 * l * s * b * h / t + kEnds));
  layout.recompute = Recompute::none;
  layout.flash_attention = true;
  CHECK(activations(layout) == Approx(34 * l * s * b * h / t + kEnds));
  layout.sequence_parallel = false;
  layout.flash_attention = false;
  layout.recompute = Recompute::full;  // inputs of all layers, and one layer in full without its scores
  CHECK(activations(layout) == Approx(2 * l * s * b * h + s * b * h * (10 + 24 / t) + kEnds));
}

TEST_CASE("states are 2 + 4 + 12 bytes a parameter, the last over the ranks with ZeRO-1, none for frozen weights") {
  const auto gpu = gpu_named("A100 SXM 80");
  const auto model = model_named("Megatron-22B");
  auto layout = layout_22b();
  const double parameters = static_cast<double>(model.parameters()) / t;
  auto memory = stage_memory(gpu, model, layout, {1}).front();
  CHECK(memory.weights == Approx(2 * parameters).epsilon(1e-2));  // norms and positions are whole on every rank
  CHECK(memory.gradients == Approx(2 * memory.weights));
  CHECK(memory.optimizer == Approx(6 * memory.weights));
  layout.data = 4;
  layout.global_batch_size = 16;
  layout.distributed_optimizer = true;
  CHECK(stage_memory(gpu, model, layout, {1}).front().optimizer == Approx(memory.optimizer / 4));
  layout.method = Method::lora;
  CHECK(stage_memory(gpu, model, layout, {1}).front().gradients < 0.01 * memory.gradients);
}

TEST_CASE("the published runs fit, and what does not is named with what it needs") {
  const auto gpu = gpu_named("A100 SXM 80");
  auto layout = layout_22b();
  layout.recompute = Recompute::full;
  CHECK_NOTHROW(check_memory(gpu, model_named("Megatron-22B"), layout, {1}, {}));

  layout.tensor = 2;
  try {
    check_memory(gpu, model_named("Megatron-22B"), layout, {1}, {"job.toml", 7, 1});
    FAIL("22 billion parameters fit on two GPUs");
  } catch (const UserError& error) {
    const auto fault = error.faults().front();
    CHECK_THAT(fault.text(), Contains("job.toml:7:1: the optimizer states of stage 0 of Megatron-22B do not fit into A100 SXM 80's 85.0 GB"));
    CHECK_THAT(fault.text(), Contains("weights 22.") && Contains("optimizer states 132.") && Contains("too much"));
    CHECK_THAT(fault.remedy, Contains("ZeRO-1"));
  }
  // Scores of 64 heads and 8 sequences in flight are what is too much, not the states.
  layout = layout_22b();
  CHECK_THROWS_WITH(check_memory(gpu, model_named("Megatron-22B"), layout, {8}, {}), Contains("the activations of stage 0") && Contains("recompute"));
}
