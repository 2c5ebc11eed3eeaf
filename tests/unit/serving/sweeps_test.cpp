// Profiling a replica, at the edges of what an engine can be.
#include <catch2/catch.hpp>

#include "serving/clock_sweep.hpp"
#include "serving/cost/bottom_up.hpp"
#include "serving/cost/pool_costs.hpp"
#include "serving/service_sweep.hpp"
#include "unit/serving/shipped.hpp"

using namespace joulecast;
using namespace joulecast::serving;

namespace {

struct Setup {
  hardware::GpuProfile gpu = test::gpu("h100-sxm");
  llm::Architecture model = test::model("llama-3.1-8b");
  EngineConfig engine;
  OperatingPoint point = default_point(gpu);

  Setup() {
    engine.max_model_len = 8192;
    engine.num_gpu_blocks = 20'000;
  }
  std::unique_ptr<StepCosts> costs() const { return bottom_up_costs(gpu, model, 1, point, engine); }
  control::ClockBelief clocks() const {
    const std::vector<Hertz> clocks{point.decode_clock};
    return clock_sweep(*costs(), point, engine, clocks);
  }
};

double step_seconds(const StepCosts& costs, int sequences, std::int64_t context) {
  const DecodeSegment& segment = costs.decode(Phase::decode, sequences, context);
  return (segment.base_seconds + context * segment.attention_seconds_per_context).units();
}

}  // namespace

TEST_CASE("an engine of one sequence at a time is profiled") {
  Setup setup;
  setup.engine.max_num_seqs = 1;
  const double seconds = step_seconds(*setup.costs(), 1, 2000);
  CHECK(setup.clocks().points[0].decode_s(1, 2000) == Approx(seconds).epsilon(0.01));
  CHECK(profile_service(*setup.costs(), setup.engine, 4000).step_seconds.at(1, 2000) == Approx(seconds).epsilon(0.01));
}

TEST_CASE("an engine whose contexts are shorter than 64 tokens is profiled up to what it takes") {
  Setup setup;
  setup.engine.max_model_len = 48;
  const auto belief = profile_service(*setup.costs(), setup.engine, 4000);
  CHECK(belief.step_seconds.at(8, 8 * 40) == Approx(step_seconds(*setup.costs(), 8, 8 * 40)).epsilon(0.05));
}

TEST_CASE("beliefs know how many tokens a step gives") {
  Setup setup;
  CHECK(setup.clocks().tokens_a_step == 1);
  setup.engine.speculative.num_speculative_tokens = 3;
  setup.engine.speculative.acceptance_rate = 0.7;
  CHECK(setup.clocks().tokens_a_step == Approx(1 + 0.7 + 0.49 + 0.343));
  CHECK(profile_service(*setup.costs(), setup.engine, 4000).tokens_a_step == Approx(1 + 0.7 + 0.49 + 0.343));
}
