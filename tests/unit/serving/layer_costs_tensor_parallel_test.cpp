#include <catch2/catch.hpp>
#include <cmath>

#include "hardware/forms.hpp"
#include "llm/operations.hpp"
#include "serving/cost/layer_costs.hpp"

using namespace joulecast;
using namespace joulecast::serving;

namespace {

template <class T>
T loaded(T (*load)(const std::string&, config::Diagnostics&), const std::string& path) {
  config::Diagnostics diagnostics;
  T value = load(path, diagnostics);
  diagnostics.throw_if_failed();
  return value;
}

/// Every dense layer 10 us, attention 20 us (decode), 50 us (a chunk), 60 us (both).
hardware::LayerTable flat_table() {
  const auto curve = [](double seconds) { return hardware::Curve({1, 8192}, {seconds, seconds}, hardware::Curve::Scale::linear); };
  const auto surface = [&](double seconds) { return hardware::Surface({1, 8192}, {curve(seconds), curve(seconds)}); };
  std::array<std::optional<hardware::Curve>, hardware::kLayers> layers;
  layers.fill(curve(10e-6));
  hardware::LayerTable::About about;
  about.step_gap = 1e-3;
  return {about, layers, {surface(50e-6), surface(20e-6), surface(60e-6)}};
}

struct TwoCards {
  hardware::GpuProfile gpu = loaded(hardware::load_gpu, "hardware_profiles/gpus/rtx-4090.toml");
  llm::Architecture model = loaded(llm::load_architecture, "workloads/models/llama-3.1-8b.toml");
  EngineConfig engine;

  TwoCards() {
    engine.max_model_len = 4096;
    gpu.power_limit.standard.value = Watts(5000);
    hardware::AllReduceForm form;
    form.gpus = 2;
    form.alpha.value = Seconds(20e-6);
    form.root.value = 5e-9;
    form.beta.value = BytesPerSecond(10e9);
    gpu.all_reduce = {form};
  }
  std::unique_ptr<StepCosts> costs(int tensor_parallel, Hertz clock) const {
    OperatingPoint point = default_point(gpu);
    point.prefill_clock = point.decode_clock = clock;
    return layer_table_costs(flat_table(), gpu, model, tensor_parallel, point, engine);
  }
  std::unique_ptr<StepCosts> costs(int tensor_parallel) const { return costs(tensor_parallel, gpu.clocks.reference.value); }
};

constexpr auto kCollective = static_cast<std::size_t>(Work::collective);

/// 2L + 1 all-reduces of `tokens` hidden states of 4096 values of 2 bytes: 65*(alpha + c*sqrt(S) + S/beta).
double all_reduces(double tokens) {
  const double bytes = tokens * 4096 * 2;
  return 65 * (20e-6 + 5e-9 * std::sqrt(bytes) + bytes / 10e9);
}

}  // namespace

TEST_CASE("layer tables at TP 2: 2L + 1 all-reduces of the padded tokens come on top, and joules are both GPUs'") {
  const TwoCards cards;
  const auto one = cards.costs(1), two = cards.costs(2);
  const auto &alone = one->decode(Phase::decode, 27, 27 * 500), &shared = two->decode(Phase::decode, 27, 27 * 500);
  CHECK(alone.base.seconds[kCollective].raw == 0);
  CHECK(shared.base.seconds[kCollective].units() == Approx(all_reduces(32)).epsilon(1e-9));
  CHECK(shared.base_seconds.units() == Approx(alone.base_seconds.units() + all_reduces(32)).epsilon(1e-9));
  CHECK(shared.base.joules[kCollective].units() == Approx(2 * all_reduces(32) * cards.gpu.watts.collective.value.si()).epsilon(1e-9));
  CHECK(two->idle_joules_per_nanosecond().units() == Approx(2 * one->idle_joules_per_nanosecond().units()).epsilon(1e-6));

  const std::vector<Chunk> chunks{{600, 0}, {100, 0}};
  const auto mixed = two->mixed(Phase::prefill, chunks, 27, 27 * 500);
  CHECK(mixed.seconds[kCollective].units() == Approx(all_reduces(727)).epsilon(1e-9));
  CHECK(mixed.total_seconds().units() == Approx(one->mixed(Phase::prefill, chunks, 27, 27 * 500).total_seconds().units() + all_reduces(727)));

  const Hertz half = cards.gpu.clocks.reference.value / 2;
  const double all = all_reduces(32);
  CHECK(cards.costs(2, half)->decode(Phase::decode, 27, 27 * 500).base.seconds[kCollective].units() ==
        Approx(hardware::ClockScaling(cards.gpu, half, 1).seconds({all, cards.gpu.clock.collective.value * all})).epsilon(1e-9));
}

TEST_CASE("layer tables take the all-reduce from an operation table where the profile names one, and need one or the other") {
  TwoCards cards;
  CHECK_THROWS_AS(cards.costs(4), UserError);
  cards.gpu.tables.operations = "hardware_profiles/tables/h100-sxm.toml";
  const auto tables = hardware::OperationTables::read_file(cards.gpu.tables.operations);
  const double four = tables.all_reduce(4)->graph_seconds.at(32.0 * 4096 * 2);
  const auto costs = cards.costs(4);
  CHECK(costs->decode(Phase::decode, 32, 32 * 500).base.seconds[kCollective].units() == Approx(65 * four).epsilon(1e-9));
  CHECK(costs->time_provenance(Work::collective) == Provenance::measured);
}
