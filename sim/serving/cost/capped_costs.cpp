#include <algorithm>

#include "serving/cost/clocked_costs.hpp"

namespace joulecast::serving {

namespace {

constexpr auto kAttention = static_cast<std::size_t>(Work::attention);

}  // namespace

template <class MeanWatts>
std::size_t ClockedCosts::achieved(Phase phase, MeanWatts&& mean_watts) const {
  const std::size_t top = clocks(phase).size() - 1;
  if (mean_watts(at(phase, top)) <= cap_) return top;
  capped_ = true;
  std::size_t keeps = 0, breaks = top;  // the lowest clock is taken even where it breaks the cap
  while (breaks - keeps > 1) {
    const std::size_t middle = keeps + (breaks - keeps) / 2;
    (mean_watts(at(phase, middle)) <= cap_ ? keeps : breaks) = middle;
  }
  return keeps;
}

/// So much of a step at `high`, which breaks the cap, and the rest at `low`, which keeps it, that the mean watts are the cap.
ClockedCosts::Parts ClockedCosts::dithered(const Parts& low, const Parts& high) const {
  const double spare = low.total_seconds() * (cap_ - low.mean_watts()), excess = high.total_seconds() * (high.mean_watts() - cap_);
  const double at_high = spare / (spare + excess);
  Parts mix;
  for (std::size_t i = 0; i < mix.seconds.size(); ++i) {
    mix.seconds[i] = (1 - at_high) * low.seconds[i] + at_high * high.seconds[i];
    const double joules = (1 - at_high) * low.seconds[i] * low.watts[i] + at_high * high.seconds[i] * high.watts[i];
    mix.watts[i] = mix.seconds[i] > 0 ? joules / mix.seconds[i] : low.watts[i];
  }
  return mix;
}

template <class StepAt>
ClockedCosts::Parts ClockedCosts::kept(Phase phase, StepAt&& step_at) const {
  const std::size_t top = clocks(phase).size() - 1;
  const Parts free = step_at(at(phase, top));
  if (free.mean_watts() <= cap_) return free;
  const std::size_t keeps = achieved(phase, [&](const AtClock& clock) { return step_at(clock).mean_watts(); });
  const Parts low = step_at(at(phase, keeps));
  return low.mean_watts() > cap_ || keeps == top ? low : dithered(low, step_at(at(phase, keeps + 1)));
}

/// A segment of which the cap acts at an end: seconds and joules are those of its ends and linear between them, so that the watts are the cap's where it
/// acts at both. What the other classes gain over the segment is attention's, which alone grows with context.
std::unique_ptr<DecodeSegment> ClockedCosts::capped_segment(int sequences, std::int64_t from, std::int64_t to, const Parts& first,
                                                            const Parts& last) const {
  const double tokens = static_cast<double>(sequences) * static_cast<double>(to - from);
  const double seconds = (last.total_seconds() - first.total_seconds()) / tokens;
  const double joules = (last.total_seconds() * last.mean_watts() - first.total_seconds() * first.mean_watts()) / tokens;
  auto segment = std::make_unique<DecodeSegment>();
  segment->attention_seconds_per_context = FixedTime::from_units(seconds);
  segment->attention_joules_per_context = FixedEnergy::from_units(gpus_ * joules);
  segment->base = fixed(first);
  segment->base.seconds[kAttention] -= (sequences * from) * segment->attention_seconds_per_context;
  segment->base.joules[kAttention] -= (sequences * from) * segment->attention_joules_per_context;
  return segment;
}

std::size_t ClockedCosts::segment_clock(Phase phase, int sequences, std::int64_t from, std::int64_t to, std::size_t level) const {
  const double longer = 1 + kUnevenStep * static_cast<double>(level);
  const double first = longer * generation(sequences, static_cast<double>(from)), last = longer * generation(sequences, static_cast<double>(to));
  return achieved(phase, [&](const AtClock& clock) {
    return std::max(decode_parts(clock, sequences, first).mean_watts(), decode_parts(clock, sequences, last).mean_watts());
  });
}

std::unique_ptr<const DecodeSegment> ClockedCosts::make_segment(Phase phase, int sequences, std::int64_t from, std::int64_t to, bool last,
                                                                std::size_t level) const {
  if (!times_->covers_decode(of_a_rank(sequences), static_cast<double>(from + 1))) beyond_attention_ = true;
  const auto& clock = at(phase, clocks(phase).size() - 1);
  const double longer = 1 + kUnevenStep * static_cast<double>(level);
  const double first = longer * generation(sequences, static_cast<double>(from));
  const double grown = longer * generation(sequences, static_cast<double>(to));
  const double summed = static_cast<double>(sequences);
  const double slope = std::max(0.0, (grown - first) / (summed * static_cast<double>(to - from)));
  const double at_zero = first - slope * summed * static_cast<double>(from);

  const auto mean_watts = [&](double seconds) { return decode_parts(clock, sequences, seconds).mean_watts(); };
  std::unique_ptr<DecodeSegment> segment;
  if (mean_watts(first) > cap_ || mean_watts(grown) > cap_) {
    const auto step_of = [&](double seconds) {
      return kept(phase, [&, seconds](const AtClock& at_clock) { return decode_parts(at_clock, sequences, seconds); });
    };
    segment = capped_segment(sequences, from, to, step_of(first), step_of(grown));
  } else {
    segment = std::make_unique<DecodeSegment>();
    segment->base = fixed(decode_parts(clock, sequences, at_zero));
    const hardware::ServingPoint& measured = scheduled(clock, of_a_rank(sequences)).residual;
    const double attention = measured.seconds_ratio * clock.generation_factor * slope;
    segment->attention_seconds_per_context = FixedTime::from_units(attention);
    segment->attention_joules_per_context = FixedEnergy::from_units(gpus_ * attention * measured.watts_ratio * clock.watts[kAttention]);
  }
  segment->base_seconds = segment->base.total_seconds();
  segment->base_joules = segment->base.total_joules();
  segment->context_from = sequences * from;
  segment->context_to = last ? INT64_MAX : sequences * to;
  return segment;
}

Hertz ClockedCosts::decode_clock(Phase clock, int sequences, const Contexts& contexts) const {
  const auto& of_sequences = row(clock, sequences);
  const auto i = of_sequences.segment_at(contexts.sum / sequences);
  const std::int64_t from = of_sequences.knots[i], to = of_sequences.end(i, longest_);
  return clocks(clock)[segment_clock(clock, sequences, from, to, uneven_level(sequences, from, to, contexts.uneven))];
}

StepCost ClockedCosts::mixed(Phase clock, std::span<const Chunk> chunks, int sequences, const Contexts& contexts) const {
  JOULECAST_CHECK(!chunks.empty(), "a mixed step has a prompt chunk");
  const auto cost = [&](std::span<const RankStep> ranks) {
    return fixed(kept(clock, [&](const AtClock& at_clock) { return parts(at_clock, ranks); }));
  };
  if (ranks_ > 1) return cost(rank_steps(chunks, sequences, contexts));
  const RankStep alone = rank_step(chunks, sequences, contexts);
  return cost({&alone, 1});
}

}  // namespace joulecast::serving
