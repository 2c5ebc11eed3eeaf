#include "validation/steady_decode.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>

#include "hardware/profiles.hpp"
#include "serving/cost/pool_costs.hpp"

using namespace joulecast;
using namespace joulecast::validation;

namespace {

/// A decode step of n sequences of summed context c takes 10 ms + c us and each prompt adds 5 ms; 500 W in decode and 600 W in a prompt's time.
class RuledCosts final : public serving::StepCosts {
 public:
  RuledCosts() {
    segment_.base.seconds[0] = segment_.base_seconds = FixedTime::from_units(10e-3);
    segment_.base.joules[0] = segment_.base_joules = FixedEnergy::from_units(5);
    segment_.attention_seconds_per_context = FixedTime::from_units(1e-6);
    segment_.attention_joules_per_context = FixedEnergy::from_units(500e-6);
    segment_.context_to = INT64_MAX;
  }
  const serving::DecodeSegment& decode(serving::Phase, int, const serving::Contexts&) const override { return segment_; }
  serving::StepCost mixed(serving::Phase, std::span<const serving::Chunk> chunks, int, const serving::Contexts& contexts) const override {
    serving::StepCost cost;
    const double decode = 10e-3 + 1e-6 * static_cast<double>(contexts.sum), prompts = 5e-3 * static_cast<double>(chunks.size());
    cost.seconds[0] = FixedTime::from_units(decode + prompts);
    cost.joules[0] = FixedEnergy::from_units(500 * decode + 600 * prompts);
    return cost;
  }
  FixedEnergy idle_joules_per_nanosecond() const override { return {}; }
  Provenance time_provenance(serving::Work) const override { return Provenance::modelled; }
  Provenance watts_provenance(serving::Work) const override { return Provenance::modelled; }
  Span switch_latency() const override { return {}; }
  bool one_clock() const override { return true; }

 private:
  serving::DecodeSegment segment_;
};

}  // namespace

TEST_CASE("a steady batch: as many prompts as requests that end, their step's extra shared among all steps") {
  // 20 sequences of 80 + 40/2 = 100 tokens: 10 + 2 = 12 ms; one in two steps takes a prompt in: 17 ms; mean 14.5 ms, 6 W s + half of 3 W s.
  const RuledCosts costs;
  const SteadyStep step = steady_decode(costs, 1, {20, 80, 40});
  CHECK(step.decode_seconds == Approx(12e-3));
  CHECK(step.mixed_share == Approx(0.5));
  CHECK(step.mean_seconds == Approx(14.5e-3));
  CHECK(step.decode_watts == Approx(500));
  CHECK(step.watts == Approx(7.5 / 14.5e-3));
  CHECK(step.joules_per_token == Approx(7.5 / 20));
  // 80 of output 40: two prompts in every step.
  const SteadyStep full = steady_decode(costs, 4, {80, 80, 40});
  CHECK(full.mixed_share == 1);
  CHECK(full.mean_seconds == Approx(28e-3));
  CHECK(full.joules_per_token == Approx((9 + 6) / 80.0));
  CHECK(full.decode_watts == Approx(125));
}

TEST_CASE("the table of published decode runs says that it is no evidence, and is empty without data") {
  CHECK(steady_decode_table({"", "."}).empty());
  CHECK(steady_decode_table({".", "."}).empty());
  const char* data = std::getenv("JOULECAST_DATA");
  if (data == nullptr) {
    WARN("JOULECAST_DATA is not set: the table is not made");
    return;
  }
  const std::string table = steady_decode_table({data, "."});
  CHECK_THAT(table, Catch::StartsWith("No evidence"));
  for (const char* batch : {"\n   8.0 ", "\n  31.9 ", "\n 127.6 "}) CHECK_THAT(table, Catch::Contains(batch));
  CHECK(std::count(table.begin(), table.end(), '\n') >= 6);
}

TEST_CASE("Llama-3.1-70B TP4 on H100 beside the published runs it was calibrated on") {
  const char* data = std::getenv("JOULECAST_DATA");
  if (data == nullptr) {
    WARN("JOULECAST_DATA is not set: skipped");
    return;
  }
  config::Diagnostics diagnostics;
  const auto gpu = hardware::load_gpu(hardware::find_profile(hardware::gpu_folder("."), "GPU", "H100 SXM", {}), diagnostics);
  const auto model =
      llm::load_architecture(hardware::find_profile(hardware::model_folder("."), "model", "meta-llama/Llama-3.1-70B-Instruct", {}), diagnostics);
  diagnostics.throw_if_failed();
  serving::EngineConfig engine;
  engine.max_model_len = 32768;
  const auto costs = serving::bottom_up_costs(gpu, model, 4, serving::default_point(gpu), engine);
  // Rows of the file at batch 8, 32 and 128; no evidence, so the bound is the p90 error of bottom-up on dense models there.
  const SteadyLoad loads[] = {{8, 400, 350}, {32, 400, 351}, {128, 400, 359}};
  const double published[] = {3.7587, 1.2069, 0.5634};
  for (int i = 0; i < 3; ++i) {
    INFO("batch " << loads[i].batch);
    CHECK(steady_decode(*costs, 4, loads[i]).joules_per_token == Approx(published[i]).epsilon(0.115));
  }
}
