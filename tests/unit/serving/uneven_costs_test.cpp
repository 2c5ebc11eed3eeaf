// Layer-table costs of uneven contexts, of data-parallel ranks with experts, and beyond what was measured.
#include <catch2/catch.hpp>

#include "serving/cost/layer_costs.hpp"

using namespace joulecast;
using namespace joulecast::serving;

namespace {

constexpr auto kAttention = static_cast<std::size_t>(Work::attention);

template <class T>
T loaded(T (*load)(const std::string&, config::Diagnostics&), const std::string& path) {
  config::Diagnostics diagnostics;
  T value = load(path, diagnostics);
  diagnostics.throw_if_failed();
  return value;
}

std::unique_ptr<StepCosts> costs_of(const std::string& table, const std::string& model, std::int64_t ranks) {
  const auto gpu = loaded(hardware::load_gpu, "hardware_profiles/gpus/rtx-pro-6000.toml");
  EngineConfig engine;
  engine.max_num_batched_tokens = 2048;
  engine.max_num_seqs = 128;
  engine.max_model_len = 32768;
  engine.data_parallel_size = ranks;
  engine.enable_expert_parallel = ranks > 1;
  OperatingPoint point = default_point(gpu);
  point.cap = gpu.power_limit.most.value;
  return layer_table_costs(hardware::read_layer_knots_file("hardware_profiles/tables/" + table), gpu,
                           loaded(llm::load_architecture, "workloads/models/" + model), 1, point, engine);
}

double attention_at(const DecodeSegment& segment, std::int64_t context) {
  return (segment.base.seconds[kAttention] + context * segment.attention_seconds_per_context).units();
}

/// `many` sequences of `low` tokens and `few` of `high`.
Contexts two_lengths(std::int64_t many, std::int64_t low, std::int64_t few, std::int64_t high) {
  const std::int64_t n = many + few, sum = many * low + few * high;
  return {sum, {n * high - sum, n * (int128{many} * low * low + int128{few} * high * high) - int128{sum} * sum}};
}

}  // namespace

TEST_CASE("uneven contexts take longer than their mean and less than the longest, in one segment while all grow") {
  const auto costs = costs_of("rtx-pro-6000-llama-3.1-8b-tp1.toml", "llama-3.1-8b.toml", 1);
  const Contexts uneven = two_lengths(60, 800, 4, 3200);
  const DecodeSegment& segment = costs->decode(Phase::decode, 64, uneven);
  const double equal = attention_at(costs->decode(Phase::decode, 64, uneven.sum), uneven.sum);
  const double longest = attention_at(costs->decode(Phase::decode, 64, 64 * 3200), 64 * 3200);
  CHECK(attention_at(segment, uneven.sum) > 1.03 * equal);
  CHECK(attention_at(segment, uneven.sum) < 0.5 * (equal + longest));
  // A token later each: the same segment, so that steps can be folded.
  CHECK(&costs->decode(Phase::decode, 64, two_lengths(60, 801, 4, 3201)) == &segment);
  // Few decoding sequences beside a chunk: the longest rules.
  const std::vector<Chunk> chunk{{512, 0}};
  const Contexts pair = two_lengths(1, 200, 1, 8000);
  CHECK(costs->mixed(Phase::prefill, chunk, 2, pair).seconds[kAttention] > costs->mixed(Phase::prefill, chunk, 2, pair.sum).seconds[kAttention]);
}

TEST_CASE("two ranks: each decodes its half, experts and the exchange are of all tokens, joules are of two GPUs") {
  const auto one = costs_of("rtx-pro-6000-qwen3-30b-a3b-tp1.toml", "qwen3-30b-a3b-2507.toml", 1);
  const auto two = costs_of("rtx-pro-6000-qwen3-30b-a3b-tp1.toml", "qwen3-30b-a3b-2507.toml", 2);
  constexpr auto kCollective = static_cast<std::size_t>(Work::collective), kGemm = static_cast<std::size_t>(Work::gemm);
  const DecodeSegment& alone = one->decode(Phase::decode, 64, 64 * 1000);
  const DecodeSegment& both = two->decode(Phase::decode, 128, 128 * 1000);
  CHECK(attention_at(both, 128 * 1000) == Approx(attention_at(alone, 64 * 1000)).epsilon(1e-6));
  CHECK(alone.base.seconds[kCollective] == FixedTime{});
  CHECK(both.base.seconds[kCollective].units() > 0);
  // Half of the experts each: less time than all of them take for half of the tokens.
  CHECK(both.base.seconds[kGemm] < alone.base.seconds[kGemm]);
  CHECK(two->idle_joules_per_nanosecond().raw == 2 * one->idle_joules_per_nanosecond().raw);
  // Two prompts lie on two ranks; a third waits for none, but makes the fuller rank longer.
  const auto seconds = [&](std::vector<Chunk> chunks) { return two->mixed(Phase::prefill, chunks, 0, 0).seconds[kAttention].units(); };
  CHECK(seconds({{1000, 0}, {1000, 0}}) == Approx(seconds({{1000, 0}})));
  CHECK(seconds({{1000, 0}, {1000, 0}, {500, 0}}) > seconds({{1000, 0}}));
}

TEST_CASE("beyond the measured contexts and tokens the seconds count as modelled") {
  const auto costs = costs_of("rtx-pro-6000-llama-3.1-8b-tp1.toml", "llama-3.1-8b.toml", 1);
  costs->decode(Phase::decode, 8, 8 * 16000);
  CHECK(costs->time_provenance(Work::attention) == Provenance::measured);
  CHECK(costs->time_provenance(Work::gemm) == Provenance::measured);
  costs->decode(Phase::decode, 8, 8 * 30000);
  CHECK(costs->time_provenance(Work::attention) == Provenance::modelled);
  CHECK(costs->time_provenance(Work::gemm) == Provenance::measured);
  CHECK(costs->time_provenance(Work::elementwise) == Provenance::measured);
}
