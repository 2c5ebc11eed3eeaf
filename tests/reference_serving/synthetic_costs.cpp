#include "reference_serving/synthetic_costs.hpp"

#include "base/hash.hpp"

namespace joulecast::reference {
namespace {

using serving::DecodeSegment;
using serving::StepCost;

constexpr auto kAttention = static_cast<std::size_t>(serving::Work::attention);

std::uint64_t hash_of(const serving::Unevenness& uneven) {
  return mix(mix(static_cast<std::uint64_t>(uneven.reach), static_cast<std::uint64_t>(uneven.scatter)),
             static_cast<std::uint64_t>(uneven.scatter >> 64));
}

/// Each class takes about a fifth of `step_ns`, at about 500 W.
StepCost random_cost(std::uint64_t hash, std::int64_t step_ns) {
  StepCost cost;
  const auto span = static_cast<std::uint64_t>(step_ns) << 24;
  for (std::size_t work = 0; work < serving::kWorks; ++work) {
    hash = mix(hash, work);
    cost.seconds[work] = {static_cast<int128>(1 + hash % span) / 3};
    hash = mix(hash, work);
    cost.joules[work] = {cost.seconds[work].raw * static_cast<int128>(300 + hash % 400)};
  }
  return cost;
}

}  // namespace

const DecodeSegment& SyntheticCosts::decode(serving::Phase clock, int sequences, const serving::Contexts& contexts) const {
  const std::int64_t number = contexts.sum / shape_.segment;
  std::unique_ptr<DecodeSegment>& slot = segments_[{static_cast<int>(clock), sequences, number, hash_of(contexts.uneven)}];
  if (slot) return *slot;
  std::uint64_t hash =
      mix(mix(mix(shape_.seed, static_cast<std::uint64_t>(clock)), static_cast<std::uint64_t>(sequences)), static_cast<std::uint64_t>(number));
  hash = mix(hash, hash_of(contexts.uneven));
  slot = std::make_unique<DecodeSegment>();
  slot->base = random_cost(hash, shape_.step_ns);
  slot->context_from = number * shape_.segment;
  slot->context_to = slot->context_from + shape_.segment;
  hash = mix(hash, 1);
  const int128 slope = static_cast<int128>(hash % ((static_cast<std::uint64_t>(shape_.step_ns) << 24) / 100 + 1));
  slot->attention_seconds_per_context = {slope};
  slot->attention_joules_per_context = {slope * 471 + 5};
  if (shape_.slopes_may_fall && hash % 3 == 0) {
    slot->attention_seconds_per_context.raw *= -1;
    slot->attention_joules_per_context.raw *= -1;
    slot->base.seconds[kAttention].raw += slope * slot->context_to;
    slot->base.joules[kAttention].raw += (slope * 471 + 5) * slot->context_to;
  }
  slot->base_seconds = slot->base.total_seconds();
  slot->base_joules = slot->base.total_joules();
  return *slot;
}

StepCost SyntheticCosts::mixed(serving::Phase clock, std::span<const serving::Chunk> chunks, int sequences, const serving::Contexts& contexts) const {
  std::uint64_t hash = mix(mix(mix(shape_.seed, 100 + static_cast<std::uint64_t>(clock)), static_cast<std::uint64_t>(sequences)),
                           static_cast<std::uint64_t>(contexts.sum));
  hash = mix(hash, hash_of(contexts.uneven));
  for (const serving::Chunk& chunk : chunks)
    hash = mix(mix(hash, static_cast<std::uint64_t>(chunk.tokens)), static_cast<std::uint64_t>(chunk.context));
  return random_cost(hash, 3 * shape_.step_ns);
}

}  // namespace joulecast::reference
