// Costs through measured steps: r(b) * predicted, r geometric between points, clocks and caps on what comes out.
#include "serving/measured_residual.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "serving/steady_batch.hpp"
#include "unit/serving/shipped.hpp"

using namespace joulecast;
using namespace joulecast::serving;

namespace {

struct Setup {
  hardware::GpuProfile gpu = test::gpu("h100-sxm");
  llm::Architecture model = test::model("llama-3.1-70b");
  EngineConfig engine;

  Setup() { engine.max_model_len = 8192; }
  std::unique_ptr<StepCosts> costs(const OperatingPoint& point, const hardware::ServingResidual& residual = {}) const {
    return bottom_up_costs(gpu, model, 4, point, engine, residual);
  }
  OperatingPoint at(double cap) const {
    OperatingPoint point = default_point(gpu);
    point.cap = Watts(cap);
    return point;
  }
};

double seconds(const StepCosts& costs, int n) {
  const DecodeSegment& segment = costs.decode(Phase::decode, n, n * 600);
  return (segment.base_seconds + n * 600 * segment.attention_seconds_per_context).units();
}
double joules(const StepCosts& costs, int n) {
  const DecodeSegment& segment = costs.decode(Phase::decode, n, n * 600);
  return (segment.base_joules + n * 600 * segment.attention_joules_per_context).units();
}

}  // namespace

TEST_CASE("a step through measured points is the predicted one times both ratios, geometric between points") {
  const Setup setup;
  const auto plain = setup.costs(setup.at(1e6)), through = setup.costs(setup.at(1e6), hardware::ServingResidual({{16, 1.44, 0.81}, {64, 1, 1}}));
  for (const auto& [n, time, watts] : {std::tuple{16, 1.44, 0.81}, {32, 1.2, 0.9}, {64, 1.0, 1.0}}) {
    CHECK(seconds(*through, n) == Approx(time * seconds(*plain, n)).epsilon(1e-9));
    CHECK(joules(*through, n) == Approx(time * watts * joules(*plain, n)).epsilon(1e-9));
  }
  // A prompt beside 31 decoding sequences is a step of 32.
  const Chunk chunk{500, 0};
  const auto without = plain->mixed(Phase::decode, {&chunk, 1}, 31, 31 * 600), with = through->mixed(Phase::decode, {&chunk, 1}, 31, 31 * 600);
  CHECK(with.total_seconds().units() == Approx(1.2 * without.total_seconds().units()).epsilon(1e-9));
  CHECK(with.total_joules().units() == Approx(1.08 * without.total_joules().units()).epsilon(1e-9));
  // Another clock moves what comes out.
  OperatingPoint slow = setup.at(1e6);
  slow.prefill_clock = slow.decode_clock = Hertz(1.2e9);
  CHECK(seconds(*through->at_point(slow), 32) == Approx(1.2 * seconds(*plain->at_point(slow), 32)).epsilon(1e-9));
}

TEST_CASE("no points change no bit") {
  const Setup setup;
  const auto plain = setup.costs(setup.at(700)), none = setup.costs(setup.at(700), hardware::ServingResidual());
  for (const int n : {1, 7, 64, 256}) {
    CHECK(none->decode(Phase::decode, n, n * 600).base_joules == plain->decode(Phase::decode, n, n * 600).base_joules);
    CHECK(none->decode(Phase::decode, n, n * 600).attention_seconds_per_context ==
          plain->decode(Phase::decode, n, n * 600).attention_seconds_per_context);
  }
}

TEST_CASE("a cap holds the watts that were measured, not those below") {
  const Setup setup;
  const auto through = setup.costs(setup.at(500), hardware::ServingResidual({{64, 1.1, 1.3}}));
  const auto plain = setup.costs(setup.at(500));
  CHECK(joules(*through, 64) / seconds(*through, 64) / 4 == Approx(500).epsilon(1e-4));
  CHECK(seconds(*through, 64) > 1.1 * seconds(*plain, 64));
}

TEST_CASE("the residual is measured over predicted, without the cap; seconds and watts are then calibrated at the reference clock") {
  const Setup setup;
  const CostsAt costs = [&](const OperatingPoint& point, const EngineConfig& engine) {
    return bottom_up_costs(setup.gpu, setup.model, 4, point, engine);
  };
  hardware::MeasuredSteps measured;
  const auto steady = [](double batch) { return SteadyBatch::of(batch, 400, 350); };
  EngineConfig wide = setup.engine;
  wide.max_num_seqs = 1024;
  wide.max_num_batched_tokens = 16384;
  const auto free = bottom_up_costs(setup.gpu, setup.model, 4, setup.at(1e6), wide);
  for (const double batch : {8.0, 600.0}) {  // the engine takes in 256
    const SteadyCost cost = steady_cost(*free, steady(batch));
    measured.points.push_back({batch, Seconds(1.3 * cost.total_seconds()), Watts(0.9 * cost.total_joules() / cost.total_seconds()), 400, 350, {}});
  }
  const auto residual = measured_residual(measured, setup.gpu, setup.engine, costs);
  REQUIRE(residual.points().size() == 2);
  for (const auto& point : residual.points()) {
    CHECK(point.seconds_ratio == Approx(1.3).epsilon(1e-9));
    CHECK(point.watts_ratio == Approx(0.9).epsilon(1e-9));
  }
  const auto through = setup.costs(default_point(setup.gpu), residual);
  for (int i = 0; i < kWorks; ++i) {
    CHECK(through->time_provenance(static_cast<Work>(i)) == Provenance::calibrated);
    CHECK(through->watts_provenance(static_cast<Work>(i)) == Provenance::calibrated);
  }
}

TEST_CASE("where a point no longer reaches, a step is no better known than its prediction") {
  const Setup setup;
  const hardware::ServingResidual one({{1, 1.3, 0.9}});
  const auto near = setup.costs(setup.at(1e6), one), far = setup.costs(setup.at(1e6), one), plain = setup.costs(setup.at(1e6));
  near->decode(Phase::decode, 4, 4 * 600);
  far->decode(Phase::decode, 256, 256 * 600);
  bool modelled = false;
  for (int i = 0; i < kWorks; ++i) {
    const Work work = static_cast<Work>(i);
    CHECK(near->time_provenance(work) == Provenance::calibrated);
    CHECK(near->watts_provenance(work) == Provenance::calibrated);
    CHECK(far->time_provenance(work) == worst(Provenance::calibrated, plain->time_provenance(work)));
    CHECK(far->watts_provenance(work) == worst(Provenance::calibrated, plain->watts_provenance(work)));
    modelled = modelled || far->time_provenance(work) == Provenance::modelled || far->watts_provenance(work) == Provenance::modelled;
  }
  CHECK(modelled);
}
