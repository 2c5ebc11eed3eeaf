// Joules of requests served together, against a plain sum over steps.
#include "serving/token_sweep.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

using namespace joulecast;
using namespace joulecast::serving;

namespace {

/// A step costs 5 J, 0.5 J a sequence or prompt token and 0.001 J a token of context read; decode segments are 1000 tokens of context wide, and
/// each dearer than the one before by 1 J.
class PlainCosts final : public StepCosts {
 public:
  const DecodeSegment& decode(Phase, int sequences, const Contexts& contexts) const override {
    segment_ = {};
    segment_.context_from = contexts.sum / 1000 * 1000;
    segment_.context_to = segment_.context_from + 1000;
    segment_.base_joules = segment_.base.joules[0] = FixedEnergy::from_units(5 + 0.5 * sequences + static_cast<double>(contexts.sum / 1000));
    segment_.attention_joules_per_context = FixedEnergy::from_units(0.001);
    return segment_;
  }
  StepCost mixed(Phase, std::span<const Chunk> chunks, int sequences, const Contexts& contexts) const override {
    double joules = 5 + 0.5 * sequences + 0.001 * static_cast<double>(contexts.sum);
    for (const Chunk& chunk : chunks) {
      most_tokens = std::max(most_tokens, chunk.tokens * static_cast<std::int64_t>(chunks.size()));
      joules += 0.5 * static_cast<double>(chunk.tokens) + 0.001 * static_cast<double>(chunk.context * chunk.tokens);
    }
    StepCost cost;
    cost.joules[0] = FixedEnergy::from_units(joules);
    return cost;
  }
  FixedEnergy idle_joules_per_nanosecond() const override { return {}; }
  Provenance time_provenance(Work) const override { return Provenance::modelled; }
  Provenance watts_provenance(Work) const override { return Provenance::modelled; }
  Span switch_latency() const override { return {}; }
  bool one_clock() const override { return true; }

  mutable std::int64_t most_tokens = 0;

 private:
  mutable DecodeSegment segment_;
};

EngineConfig engine() {
  EngineConfig config;
  config.max_num_batched_tokens = 512;
  config.max_num_seqs = 64;
  config.max_model_len = 4096;
  config.num_gpu_blocks = 1001;
  return config;
}

}  // namespace

TEST_CASE("Requests served together cost the sum of their steps") {
  const PlainCosts costs;
  for (const std::int64_t batch : {1, 3, 7}) {
    for (const std::int64_t input : {1, 100, 512, 1300}) {
      for (const std::int64_t output : {1, 2, 150}) {
        double joules = 0;
        if (input > 512) {
          for (std::int64_t done = 0; done < input; done += 512) {
            const double tokens = static_cast<double>(std::min<std::int64_t>(512, input - done));
            joules += static_cast<double>(batch) * (5 + 0.5 * tokens + 0.001 * static_cast<double>(done) * tokens);
          }
        } else {
          const std::int64_t a_step = std::min(batch, 512 / input);
          const std::int64_t steps = (batch + a_step - 1) / a_step;
          joules += 5 * static_cast<double>(steps) + 0.5 * static_cast<double>(batch * input);
        }
        for (std::int64_t i = 1; i < output; ++i) {
          const std::int64_t context = batch * (input + i);
          joules += 5 + 0.5 * static_cast<double>(batch) + static_cast<double>(context / 1000) + 0.001 * static_cast<double>(context);
        }
        CAPTURE(batch, input, output);
        CHECK(joules_together(costs, engine(), batch, input, output).units() == Approx(joules).epsilon(1e-9));
      }
    }
  }
  CHECK(costs.most_tokens <= 512);
}

TEST_CASE("A sweep spans its range, keeps to the context and serves as large a batch as fits") {
  const PlainCosts costs;
  const auto rows = token_sweep(costs, engine(), 16, {10, 3000, 5, 1500});
  double least_in = 1e9, most_in = 0, least_out = 1e9, most_out = 0;
  for (const auto& row : rows) {
    least_in = std::min(least_in, row.input);
    most_in = std::max(most_in, row.input);
    least_out = std::min(least_out, row.output);
    most_out = std::max(most_out, row.output);
    CHECK(row.input + row.output <= 4096);
    const auto input = static_cast<std::int64_t>(row.input), output = static_cast<std::int64_t>(row.output);
    const std::int64_t together = std::min<std::int64_t>(16, 16000 / (input + output));
    CHECK(row.joules == joules_together(costs, engine(), together, input, output).units() / static_cast<double>(together));
  }
  CHECK(least_in == 10);
  CHECK(most_in == 3000);
  CHECK(least_out == 5);
  CHECK(most_out == 1500);
  CHECK(rows.size() > 50);

  // Requests of one length: the sweep still tells the terms apart.
  const auto narrow = token_sweep(costs, engine(), 1, {200, 200, 30, 30});
  CHECK_NOTHROW(control::fit_energy_belief(narrow, {200, 200, 30, 30}, "test"));
}
