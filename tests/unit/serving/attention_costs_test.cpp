#include "serving/cost/attention_costs.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "hardware/forms.hpp"
#include "serving/cost/bottom_up.hpp"
#include "serving/cost/clocked_costs.hpp"
#include "unit/serving/shipped.hpp"

using namespace joulecast;
using namespace joulecast::serving;

namespace {

struct Attention {
  hardware::GpuProfile gpu = test::gpu("h100-sxm");
  std::unique_ptr<const hardware::OperationTables> tables = operation_tables(gpu);

  AttentionCosts of(const llm::Architecture& model, int t = 1, bool tabled = true) const {
    return {gpu, llm::step_operations(model, t, 1, 1), model.bytes_per_value(), tabled ? tables.get() : nullptr};
  }
};

}  // namespace

TEST_CASE("a window in all layers caps decode attention; before it nothing changes") {
  const Attention h100;
  auto mistral = test::model("mistral-7b-v0.1");
  const auto windowed = h100.of(mistral);
  mistral.local.reset();
  const auto full = h100.of(mistral);
  for (const int n : {1, 16, 200}) {
    for (const double context : {10.0, 1000.0, 4096.0}) CHECK(windowed.generation(n, context) == full.generation(n, context));
    for (const double context : {4097.0, 30000.0}) {
      CHECK(windowed.generation(n, context) == full.generation(n, 4096));
      CHECK(full.generation(n, context) > windowed.generation(n, context));
    }
  }
}

TEST_CASE("beyond the window only full layers grow: 10 of gemma's 62, half of gpt-oss's") {
  const Attention h100;
  for (const auto& [file, share] : {std::pair{"gemma-3-27b", 10.0 / 62}, {"gpt-oss-120b", 0.5}, {"llama-4-scout", 0.25}}) {
    INFO(file);
    auto model = test::model(file);
    const auto windowed = h100.of(model);
    model.local.reset();
    const auto full = h100.of(model);
    const auto growth = [](const AttentionCosts& costs) { return costs.generation(64, 60000) - costs.generation(64, 30000); };
    CHECK(growth(windowed) == Approx(share * growth(full)));
    CHECK(windowed.generation(64, 60000) < full.generation(64, 60000));
  }
}

TEST_CASE("decode attention is linear between its knots, for any head size, window and latent") {
  const Attention h100;
  for (const char* file : {"llama-3.1-8b", "gemma-3-12b", "gpt-oss-20b", "mistral-7b-v0.1", "llama-4-scout", "deepseek-v3"}) {
    const auto costs = h100.of(test::model(file));
    for (const int n : {1, 5, 64, 300}) {
      auto knots = costs.knots(n);
      CHECK(std::is_sorted(knots.begin(), knots.end()));
      knots.push_back(knots.empty() ? 200000 : knots.back() + 100000);
      if (knots.size() == 1) knots.insert(knots.begin(), 1);
      for (std::size_t i = 0; i + 1 < knots.size(); ++i) {
        const double from = knots[i], to = knots[i + 1], low = costs.generation(n, from), high = costs.generation(n, to);
        for (const double part : {0.25, 0.5, 0.9}) {
          INFO(file << " " << n << " between " << from << " and " << to);
          CHECK(costs.generation(n, from + part * (to - from)) == Approx(low + part * (high - low)).epsilon(1e-9));
        }
      }
    }
  }
}

TEST_CASE("latent decode: the longer of reading 576 elements a token once and of all heads' 1088 products with them") {
  const Attention h100;
  const auto model = test::model("deepseek-v3");
  const double n = 32, context = 4000;
  const auto by_hand = [&](double heads) {
    const double read = h100.gpu.attention.launch.value.si() +
                        576 * 2 * n * context / (h100.gpu.attention.memory_efficiency.value * h100.gpu.memory_bandwidth.value.si());
    const double products = h100.gpu.attention.launch.value.si() +
                            2 * heads * 1088 * n * context / (h100.gpu.attention.compute_efficiency.value * h100.gpu.peak_bf16.value.si());
    return 61 * std::max(read, products);
  };
  CHECK(h100.of(model, 1).generation(32, context) == Approx(by_hand(128)));
  CHECK(h100.of(model, 8).generation(32, context) == Approx(by_hand(16)));
  // Each GPU reads the whole latent: eight are not eight times as fast.
  CHECK(h100.of(model, 8).generation(32, context) > h100.of(model, 1).generation(32, context) / 8);
  CHECK(h100.of(model).provenance() == Provenance::modelled);
}

TEST_CASE("heads of another size read the table of 128 at as many bytes") {
  const Attention h100;
  auto model = test::model("llama-3.1-8b");
  const auto plain = h100.of(model);
  model.head_dim = 256;
  const auto wide = h100.of(model);
  CHECK(wide.generation(64, 1000) == plain.generation(64, 2000));
  CHECK(plain.provenance() == Provenance::measured);
  CHECK(wide.provenance() == Provenance::calibrated);
}

TEST_CASE("prompts of local layers take the share of the tokens seen") {
  const Attention h100;
  auto model = test::model("mistral-7b-v0.1");
  const JoinedChunks short_prompt{1000, 0}, long_prompt{16384, 0};
  const auto windowed = h100.of(model);
  model.local.reset();
  const auto full = h100.of(model);
  CHECK(windowed.chunks(short_prompt) == full.chunks(short_prompt));
  // 4096 grow, 12288 see 4096: (4096*2048 + 12288*4096) / (16384*8192) = 0.4375.
  CHECK(windowed.chunks(long_prompt) == Approx(0.4375 * full.chunks(long_prompt)));
}

TEST_CASE("a decode segment is exact on both sides of a window") {
  const auto gpu = test::gpu("h100-sxm");
  for (const char* file : {"gemma-3-12b", "gpt-oss-20b"}) {
    const auto model = test::model(file);
    const auto times = bottom_up_times(gpu, model, 1);
    EngineConfig engine;
    engine.max_model_len = 32768;
    OperatingPoint point = default_point(gpu);
    point.cap = gpu.power_limit.most.value;
    const auto costs = bottom_up_costs(gpu, model, 1, point, engine);
    const auto attention = static_cast<std::size_t>(Work::attention);
    for (const int n : {1, 7, 128}) {
      for (const std::int64_t mean : {1, 100, 127, 128, 129, 1000, 1023, 1024, 1025, 5000, 20000}) {
        INFO(file << " " << n << " of " << mean);
        const std::int64_t context = n * mean;
        const auto& segment = costs->decode(Phase::decode, n, context);
        REQUIRE(segment.context_from <= context);
        REQUIRE(context < segment.context_to);
        const double seconds = (segment.base.seconds[attention] + context * segment.attention_seconds_per_context).units();
        CHECK(seconds == Approx(times->generation(n, static_cast<double>(mean))).epsilon(1e-3));
      }
    }
  }
}
