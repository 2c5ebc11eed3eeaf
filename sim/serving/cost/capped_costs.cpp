#include <algorithm>
#include <cstdint>
#include <vector>

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

/// A segment in which the cap acts: seconds and joules are those of its ends and linear between them, so that the watts are the cap's where they are at
/// both. What the other classes gain over the segment is attention's, which alone grows with context. `from` and `to` are summed contexts.
DecodeSegment ClockedCosts::capped_segment(std::int64_t from, std::int64_t to, const Parts& first, const Parts& last) const {
  const double tokens = static_cast<double>(to - from);
  const double seconds = (last.total_seconds() - first.total_seconds()) / tokens;
  const double joules = (last.total_seconds() * last.mean_watts() - first.total_seconds() * first.mean_watts()) / tokens;
  DecodeSegment segment;
  segment.attention_seconds_per_context = FixedTime::from_units(seconds);
  segment.attention_joules_per_context = FixedEnergy::from_units(gpus_ * joules);
  segment.base = fixed(first);
  segment.base.seconds[kAttention] -= from * segment.attention_seconds_per_context;
  segment.base.joules[kAttention] -= from * segment.attention_joules_per_context;
  return segment;
}

DecodeSegment ClockedCosts::free_segment(const AtClock& clock, int sequences, const Attention& attention) const {
  DecodeSegment segment;
  segment.base = fixed(decode_parts(clock, sequences, attention.at_zero));
  const hardware::ServingPoint& measured = scheduled(clock, of_a_rank(sequences)).residual;
  const double seconds = measured.seconds_ratio * clock.generation_factor * attention.slope;
  segment.attention_seconds_per_context = FixedTime::from_units(seconds);
  segment.attention_joules_per_context = FixedEnergy::from_units(gpus_ * seconds * measured.watts_ratio * clock.watts[kAttention]);
  return segment;
}

ClockedCosts::Attention ClockedCosts::attention(int sequences, std::int64_t from, std::int64_t to, std::size_t level) const {
  const double longer = 1 + kUnevenStep * static_cast<double>(level);
  Attention attention{sequences * from,
                      sequences * to,
                      longer * generation(sequences, static_cast<double>(from)),
                      longer * generation(sequences, static_cast<double>(to)),
                      0,
                      0};
  const double summed = static_cast<double>(sequences);
  attention.slope = std::max(0.0, (attention.grown - attention.first) / (summed * static_cast<double>(to - from)));
  attention.at_zero = attention.first - attention.slope * summed * static_cast<double>(from);
  return attention;
}

std::unique_ptr<const ClockedCosts::Pieces> ClockedCosts::make_pieces(Phase phase, int sequences, std::int64_t from, std::int64_t to, bool last,
                                                                      std::size_t level) const {
  if (!times_->covers_decode(of_a_rank(sequences), static_cast<double>(from + 1))) beyond_attention_ = true;
  const AtClock& lock = at(phase, clocks(phase).size() - 1);
  const Attention grows = attention(sequences, from, to, level);
  const auto breaks = [&](const AtClock& clock, std::int64_t sum) { return decode_parts(clock, sequences, grows.at(sum)).mean_watts() > cap_; };

  // Mean watts move one way with attention's share: the summed contexts from which they are beyond the cap, or within it, are two at most.
  std::vector<std::int64_t> ends;
  const auto add_crossing = [&](const AtClock& clock) {
    const bool at_first = breaks(clock, grows.from);
    if (breaks(clock, grows.to) == at_first) return;
    std::int64_t as_first = grows.from, other = grows.to;
    while (other - as_first > 1) {
      const std::int64_t middle = as_first + (other - as_first) / 2;
      (breaks(clock, middle) == at_first ? as_first : other) = middle;
    }
    if (other < grows.to) ends.push_back(other);
  };
  const bool may_act = breaks(lock, grows.from) || breaks(lock, grows.to);
  if (may_act) add_crossing(lock);
  if (may_act) add_crossing(at(phase, 0));
  ends.push_back(grows.to);
  std::sort(ends.begin(), ends.end());
  ends.erase(std::unique(ends.begin(), ends.end()), ends.end());

  const auto kept_at = [&](std::int64_t sum) {
    return kept(phase, [&, seconds = grows.at(sum)](const AtClock& clock) { return decode_parts(clock, sequences, seconds); });
  };
  auto pieces = std::make_unique<Pieces>();
  std::int64_t begin = grows.from;
  for (const std::int64_t end : ends) {
    // Its own steps tell: at `end` the next piece has begun.
    const bool acts = may_act && (breaks(lock, begin) || breaks(lock, end - 1));
    DecodeSegment& piece =
        pieces->emplace_back(acts ? capped_segment(begin, end, kept_at(begin), kept_at(end)) : free_segment(lock, sequences, grows));
    piece.base_seconds = piece.base.total_seconds();
    piece.base_joules = piece.base.total_joules();
    piece.context_from = begin;
    piece.context_to = end;
    begin = end;
  }
  if (last) pieces->back().context_to = INT64_MAX;
  return pieces;
}

Hertz ClockedCosts::decode_clock(Phase clock, int sequences, const Contexts& contexts) const {
  const auto& of_sequences = row(clock, sequences);
  const auto i = of_sequences.segment_at(contexts.sum / sequences);
  const std::int64_t from = of_sequences.knots[i], to = of_sequences.end(i, longest_);
  const double seconds = attention(sequences, from, to, uneven_level(sequences, from, to, contexts.uneven)).at(contexts.sum);
  return clocks(clock)[achieved(clock, [&](const AtClock& at_clock) { return decode_parts(at_clock, sequences, seconds).mean_watts(); })];
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
