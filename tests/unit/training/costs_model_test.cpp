// Iterations by the operation model: closed forms where nothing is communicated, and what each option is worth.
#include <catch2/catch.hpp>

#include "training/graph.hpp"
#include "training/model_costs.hpp"
#include "training/replay.hpp"
#include "training/stage_parameters.hpp"
#include "unit/training/costs_support.hpp"

using namespace joulecast;
using namespace joulecast::training;

namespace {

double seconds(const IterationParts& parts, const Layout& layout, ScheduleKind kind = ScheduleKind::one_f_one_b) {
  return replay(build_iteration(make_schedule(kind, layout.schedule_shape()), parts), {}).makespan.units();
}

const OperatingPoint& point(const IterationParts& parts, std::int32_t kind) { return parts.costs[static_cast<std::size_t>(kind)].front(); }

Layout pipeline_of(std::int64_t stages, std::int64_t microbatches) {
  Layout layout = one_gpu(microbatches);
  layout.pipeline = stages;
  return layout;
}

}  // namespace

TEST_CASE("middle stages of equal layers share their kinds; the ends have their own") {
  const auto parts = model_costs(gpu_named("A100 SXM 80"), model_named("GPT-3-175B"), pipeline_of(8, 16), FreeCollectives{}, 8);
  REQUIRE(parts.stages.size() == 8);
  CHECK(parts.stages[1].chunks[0].forward == parts.stages[6].chunks[0].forward);
  CHECK(parts.stages[0].chunks[0].forward != parts.stages[1].chunks[0].forward);
  CHECK(point(parts, parts.stages[7].chunks[0].forward).time > point(parts, parts.stages[6].chunks[0].forward).time);
  CHECK(parts.blocking[3] == gpu_named("A100 SXM 80").idle.spin_wait.value);
}

TEST_CASE("with the last stage the longest, 1F1B takes (P-1) hops and M of its passes") {
  // Stages before the last are never waited for once the pipe is full: the makespan is the first microbatch's way to the last stage, M (F+B) of that
  // stage, and
  // the last microbatch's way back, then the first stage's optimizer.
  const Layout layout = pipeline_of(4, 8);
  const auto parts = model_costs(gpu_named("A100 SXM 80"), model_named("GPT-3-6.7B"), layout, FreeCollectives{}, 8);
  double expected = 0;
  for (std::size_t stage = 0; stage < 4; ++stage) {
    const auto& chunk = parts.stages[stage].chunks[0];
    const double once = point(parts, chunk.forward).time.units() + point(parts, chunk.backward).time.units();
    expected += (stage == 3 ? 8 : 1) * once;
  }
  expected += point(parts, parts.stages[0].optimizer).time.units();
  CHECK(seconds(parts, layout) == Approx(expected));
}

TEST_CASE("backward is about twice forward, 2.5 times with the scores made again, three times with full recompute") {
  const auto gpu = gpu_named("A100 SXM 80");
  const auto model = model_named("GPT-3-175B");
  Layout layout = one_gpu();
  layout.flash_attention = false;
  const auto ratio = [&] {
    const auto parts = model_costs(gpu, model, layout, FreeCollectives{}, 8);
    const auto& chunk = parts.stages[0].chunks[0];
    return point(parts, chunk.backward).time.units() / point(parts, chunk.forward).time.units();
  };
  CHECK(ratio() == Approx(2).epsilon(0.02));
  layout.recompute = Recompute::full;
  CHECK(ratio() == Approx(3).epsilon(0.02));
  layout.recompute = Recompute::selective;
  const auto parts = model_costs(gpu, model, layout, FreeCollectives{}, 8);
  const auto& backward = point(parts, parts.stages[0].chunks[0].backward);
  CHECK(backward.recompute_time.units() > 0);
  CHECK(backward.recompute_time.units() < 0.1 * backward.time.units());
}

TEST_CASE("input and weight parts of a backward pass add up to it where the host is fast") {
  auto gpu = gpu_named("A100 SXM 80");
  gpu.training->fitted.host_layer_pass.value = Seconds(0);
  Layout layout = pipeline_of(4, 4);
  layout.recompute = Recompute::full;
  const auto parts = model_costs(gpu, model_named("GPT-3-6.7B"), layout, FreeCollectives{}, 8);
  const auto& chunk = parts.stages[1].chunks[0];
  const double sum = point(parts, chunk.backward_input).time.units() + point(parts, chunk.backward_weight).time.units();
  CHECK(sum == Approx(point(parts, chunk.backward).time.units()));
}

TEST_CASE("a message is part of the pass that sends it, or the delay of the dependency") {
  Layout layout = pipeline_of(4, 8);
  PlainCollectives collectives;
  const auto gpu = gpu_named("A100 SXM 80");
  const auto model = model_named("GPT-3-6.7B");
  const double message = 2.0 * 2048 * 4096 / collectives.rate;  // b s h of 16 bits
  const auto blocked = model_costs(gpu, model, layout, collectives, 8);
  CHECK(blocked.forward_message.raw == 0);
  CHECK(point(blocked, blocked.stages[1].chunks[0].forward).communication_time.units() == Approx(message));
  CHECK(point(blocked, blocked.stages[3].chunks[0].forward).communication_time.units() == 0);
  CHECK(point(blocked, blocked.stages[0].chunks[0].backward).communication_time.units() == 0);
  layout.overlap_p2p = true;
  const auto delayed = model_costs(gpu, model, layout, collectives, 8);
  CHECK(delayed.forward_message.units() == Approx(message));
  CHECK(point(delayed, delayed.stages[1].chunks[0].forward).communication_time.units() == 0);
  CHECK(seconds(delayed, layout) < seconds(blocked, layout));
}

TEST_CASE("gradients are 4 bytes a parameter, with ZeRO-1 also 2 bytes of weights on the way back; a step moves 38 bytes") {
  const auto gpu = gpu_named("A100 SXM 80");
  const auto model = model_named("GPT-3-6.7B");
  Layout layout = one_gpu(4);
  layout.data = 4;
  PlainCollectives collectives;
  const double parameters = static_cast<double>(model.parameters());
  const double bandwidth = gpu.training->fitted.elementwise.value * gpu.memory_bandwidth.value.si();
  auto parts = model_costs(gpu, model, layout, collectives, 8);
  CHECK(point(parts, parts.stages[0].gradient_sync).time.units() == Approx(4 * parameters / collectives.rate).epsilon(1e-3));
  CHECK(point(parts, parts.stages[0].optimizer).time.units() == Approx(38 * parameters / bandwidth).epsilon(1e-3));
  layout.distributed_optimizer = true;
  parts = model_costs(gpu, model, layout, collectives, 8);
  CHECK(point(parts, parts.stages[0].gradient_sync).time.units() == Approx(6 * parameters / collectives.rate).epsilon(1e-3));
  CHECK(point(parts, parts.stages[0].optimizer).time.units() == Approx(38 * parameters / 4 / bandwidth).epsilon(1e-3));
  // A backward pass of one microbatch (0.3 s) hides them all.
  layout.overlap_grad_reduce = true;
  parts = model_costs(gpu, model, layout, collectives, 8);
  CHECK(parts.stages[0].gradient_sync == -1);
  layout.data = 1;
  CHECK(model_costs(gpu, model, layout, collectives, 8).stages[0].gradient_sync == -1);
}

TEST_CASE("collectives behind the weights' gradients: all of the all-reduces, half with sequence parallelism") {
  const auto gpu = gpu_named("A100 SXM 80");
  const auto model = model_named("GPT-3-175B");
  Layout layout = one_gpu();
  layout.tensor = 8;
  PlainCollectives collectives;
  const auto exposed = [&] {
    const auto parts = model_costs(gpu, model, layout, collectives, 8);
    return point(parts, parts.stages[0].chunks[0].backward).communication_time.units();
  };
  const double once = 2.0 * 2048 * 12288 / collectives.rate;  // an all-reduce of the residual stream
  CHECK(exposed() == Approx((2 * 96 + 1) * once));
  layout.overlap_tensor_parallel = true;
  CHECK(exposed() == Approx(0).margin(1e-12));
  layout.sequence_parallel = true;  // an all-gather and a reduce-scatter in place of each
  CHECK(exposed() == Approx((2 * 96 + 1) * once));
}

TEST_CASE("adapters train for some three quarters of the time and sum next to nothing") {
  const auto gpu = gpu_named("H100 SXM");
  const auto model = model_named("meta-llama/Llama-2-70b-hf");
  Layout layout = one_gpu(8);
  layout.tensor = 8;
  layout.seq_length = 4096;
  const auto full = seconds(model_costs(gpu, model, layout, FreeCollectives{}, 8), layout);
  layout.method = Method::lora;
  const auto parts = model_costs(gpu, model, layout, FreeCollectives{}, 8);
  CHECK(seconds(parts, layout) < 0.8 * full);
  CHECK(point(parts, parts.stages[0].optimizer).time.units() < 1e-3);
}

TEST_CASE("an encoder with a decoder, experts over ranks and hybrids run, and every point has watts between idle and the limit") {
  const auto gpu = gpu_named("A100 SXM 80");
  Layout layout = one_gpu(32);
  layout.seq_length = 512;
  layout.pipeline = 4;
  layout.micro_batch_size = 4;
  ClockSettings settings;
  settings.every_clock = true;
  for (const std::string name : {"google-t5/t5-3b", "BERT-huge-uncased", "mistralai/Mixtral-8x7B-v0.1", "nvidia/NVIDIA-Nemotron-Nano-9B-v2"}) {
    CAPTURE(name);
    const auto model = model_named(name);
    layout.data = layout.expert = model.experts ? 2 : 1;
    const auto parts = model_costs(gpu, model, layout, PlainCollectives{}, 8, settings);
    CHECK(seconds(parts, layout) > 0);
    for (const auto& points : parts.costs) {
      for (const auto& each : points) {
        if (each.time.raw == 0) continue;
        const double watts = each.energy.units() / each.time.units();
        CHECK(watts > 0.5 * gpu.idle.context.value.si());
        CHECK(watts <= gpu.power_limit.standard.value.si());
      }
    }
  }
}
