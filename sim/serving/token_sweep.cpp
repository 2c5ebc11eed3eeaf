#include "serving/token_sweep.hpp"

#include <algorithm>
#include <cmath>

namespace joulecast::serving {
namespace {

constexpr int kLengths = 8;

std::vector<std::int64_t> lengths_between(std::int64_t least, std::int64_t most) {
  const double last = static_cast<double>(std::max(most, 8 * least));
  std::vector<std::int64_t> lengths;
  for (int i = 0; i < kLengths; ++i) {
    const double ratio = last / static_cast<double>(least);
    lengths.push_back(std::llround(static_cast<double>(least) * std::pow(ratio, static_cast<double>(i) / (kLengths - 1))));
  }
  lengths.erase(std::unique(lengths.begin(), lengths.end()), lengths.end());
  return lengths;
}

FixedEnergy prompts(const StepCosts& costs, const EngineConfig& engine, std::int64_t batch, std::int64_t input) {
  const std::int64_t budget = engine.max_num_batched_tokens;
  FixedEnergy joules;
  if (input > budget) {
    for (std::int64_t done = 0; done < input; done += budget) {
      const Chunk chunk{std::min(budget, input - done), done};
      joules += costs.mixed(Phase::prefill, std::span(&chunk, 1), 0, 0).total_joules();
    }
    return batch * joules;
  }
  const std::int64_t a_step = std::min(batch, budget / input);
  const std::vector<Chunk> chunks(static_cast<std::size_t>(a_step), Chunk{input, 0});
  joules = (batch / a_step) * costs.mixed(Phase::prefill, chunks, 0, 0).total_joules();
  if (const auto rest = static_cast<std::size_t>(batch % a_step); rest > 0) {
    joules += costs.mixed(Phase::prefill, std::span(chunks).first(rest), 0, 0).total_joules();
  }
  return joules;
}

}  // namespace

FixedEnergy joules_together(const StepCosts& costs, const EngineConfig& engine, std::int64_t batch, std::int64_t input, std::int64_t output) {
  FixedEnergy joules = prompts(costs, engine, batch, input);
  if (engine.speculative.on() && output > 1) {
    // So many steps on average, at the mean context.
    const auto steps = std::max<std::int64_t>(1, std::llround(static_cast<double>(output - 1) / engine.speculative.expected_tokens()));
    const std::int64_t context = batch * (input + output / 2);
    const DecodeSegment& segment = costs.decode(Phase::decode, static_cast<int>(batch), context);
    return joules + steps * (segment.base_joules + context * segment.attention_joules_per_context);
  }
  // The end of a prompt gives the first token; decode step i then reads input + i tokens a sequence.
  for (std::int64_t step = 1; step < output;) {
    const DecodeSegment& segment = costs.decode(Phase::decode, static_cast<int>(batch), batch * (input + step));
    const std::int64_t last = std::min(output - 1, (segment.context_to - 1) / batch - input);
    const std::int64_t steps = last - step + 1;
    const std::int64_t context = batch * (steps * input + (step + last) * steps / 2);
    joules += steps * segment.base_joules + context * segment.attention_joules_per_context;
    step = last + 1;
  }
  return joules;
}

std::vector<control::ProfiledRequest> token_sweep(const StepCosts& costs, const EngineConfig& engine, std::int64_t batch,
                                                  const control::TokenRange& range) {
  const std::int64_t kv_tokens = (engine.num_gpu_blocks - 1) * engine.block_size;
  std::vector<control::ProfiledRequest> rows;
  for (const std::int64_t input : lengths_between(range.least_input, range.most_input)) {
    for (const std::int64_t output : lengths_between(range.least_output, range.most_output)) {
      if (input + output > std::min(engine.max_model_len, kv_tokens)) continue;
      const std::int64_t together = std::max<std::int64_t>(1, std::min({batch, engine.max_num_seqs, kv_tokens / (input + output)}));
      const double joules = joules_together(costs, engine, together, input, output).units() / static_cast<double>(together);
      rows.push_back({static_cast<double>(input), static_cast<double>(output), joules});
    }
  }
  return rows;
}

}  // namespace joulecast::serving
