#include "serving/cost/clocked_costs.hpp"

#include <algorithm>
#include <cmath>

#include "llm/operations.hpp"

namespace joulecast::serving {

namespace {

constexpr std::size_t slot(Work work) { return static_cast<std::size_t>(work); }

/// Step time grows by at most this within a decode segment.
constexpr double kSegmentGrowth = 0.1;

std::vector<Hertz> clocks_up_to(const hardware::GpuProfile& gpu, Hertz lock) {
  std::vector<Hertz> clocks;
  for (const auto each : gpu.clock_list()) {
    if (each < lock) clocks.push_back(each);
  }
  clocks.push_back(lock);
  return clocks;
}

}  // namespace

ClockedCosts::AtClock::AtClock(const ClockedCosts& costs, Hertz at)
    : clock(at),
      scaling(costs.gpu_, at, costs.speed_factor_),
      generation_factor(scaling.seconds({1, costs.gpu_.clock.memory_bound.value})),
      context_factor(scaling.seconds({1, costs.gpu_.clock.context_attention.value})),
      tokens(static_cast<std::size_t>(costs.most_tokens_) + 1),
      sequences(static_cast<std::size_t>(costs.most_sequences_) + 1) {
  const auto& watts_of = costs.gpu_.watts;
  watts[slot(Work::attention)] = scaling.watts(watts_of.attention.value.si());
  watts[slot(Work::collective)] = scaling.watts(watts_of.collective.value.si());
  watts[slot(Work::elementwise)] = scaling.watts(watts_of.elementwise.value.si());
  watts[slot(Work::host)] = scaling.watts(watts_of.host.value.si());
}

double ClockedCosts::Parts::total_seconds() const {
  double total = 0;
  for (const double each : seconds) total += each;
  return total;
}

double ClockedCosts::Parts::mean_watts() const {
  double time = 0, energy = 0;
  for (std::size_t i = 0; i < seconds.size(); ++i) {
    time += seconds[i];
    energy += seconds[i] * watts[i];
  }
  return time > 0 ? energy / time : 0;
}

std::size_t ClockedCosts::Row::segment_at(std::int64_t mean) const {
  const auto after = std::upper_bound(knots.begin(), knots.end(), std::max<std::int64_t>(1, mean));
  return static_cast<std::size_t>(after - knots.begin()) - 1;
}

std::int64_t ClockedCosts::Row::end(std::size_t segment, std::int64_t longest) const {
  return segment + 1 == knots.size() ? std::max(longest, knots[segment] + 1) : knots[segment + 1];
}

ClockedCosts::ClockedCosts(std::unique_ptr<const OperationTimes> times, const hardware::GpuProfile& gpu, const llm::Architecture& model,
                           int tensor_parallel, const OperatingPoint& point, const EngineConfig& engine)
    : times_(std::move(times)),
      gpu_(gpu),
      tensor_parallel_(tensor_parallel),
      speed_factor_(point.speed_factor),
      longest_(std::max<std::int64_t>(2, engine.max_model_len > 0 ? engine.max_model_len : model.max_position)),
      most_sequences_(engine.max_num_seqs),
      most_tokens_(llm::cuda_graph_tokens(std::max(engine.max_num_batched_tokens, engine.max_num_seqs * engine.speculative.scheduled()))),
      decode_tokens_(engine.speculative.scheduled()),
      one_clock_(point.prefill_clock == point.decode_clock),
      switch_latency_(span_from_seconds(gpu_.switch_latency.value.si())),
      cap_(point.cap.value_or(gpu_.power_limit.standard.value).si()),
      idle_rate_(FixedEnergy::from_units(1e-9 * gpu_.idle.context.value.si() * tensor_parallel)),
      locked_(!one_clock_ || point.decode_clock != gpu_.clocks.reference.value || point.speed_factor != 1) {
  for (const auto phase : {Phase::prefill, Phase::decode}) {
    const auto i = index(phase);
    if (at_[i] != nullptr) continue;
    clocks_[i] = clocks_up_to(gpu_, phase == Phase::prefill ? point.prefill_clock : point.decode_clock);
    at_[i] = std::make_unique<CostCache<AtClock>>(clocks_[i].size());
    rows_[i] = std::make_unique<CostCache<Row>>(static_cast<std::size_t>(most_sequences_) + 1);
  }

  const auto& watts = gpu_.watts;
  for (std::size_t i = 0; i < kWorks; ++i) time_provenance_[i] = times_->provenance(static_cast<Work>(i));
  watts_provenance_ = {worst_of(watts.gemm_base, watts.gemm_slope), worst_of(watts.attention), worst_of(watts.collective),
                       worst_of(watts.elementwise), worst_of(watts.host)};
}

Provenance ClockedCosts::time_provenance(Work work) const {
  const Provenance at_reference = time_provenance_[slot(work)];
  if (work == Work::host || !(locked_ || capped_)) return at_reference;
  const auto& clock = gpu_.clock;
  return worst(at_reference, worst_of(clock.memory_bound, clock.context_attention, clock.collective, clock.sharpness));
}

Provenance ClockedCosts::watts_provenance(Work work) const {
  const Provenance at_reference = watts_provenance_[slot(work)];
  if (!(locked_ || capped_)) return at_reference;
  return worst(at_reference, worst_of(gpu_.power.dynamic_share, gpu_.power.knee, gpu_.power.voltage_ratio));
}

const ClockedCosts::AtClock& ClockedCosts::at(Phase phase, std::size_t clock) const {
  return at_[index(phase)]->get(clock, [&] { return std::make_unique<const AtClock>(*this, clocks(phase)[clock]); });
}

std::unique_ptr<const ClockedCosts::Dense> ClockedCosts::make_dense(const AtClock& clock, const std::vector<OperationTime>& operations) const {
  auto dense = std::make_unique<Dense>();
  for (const auto& each : operations) {
    dense->seconds[slot(each.work)] += each.times * clock.scaling.seconds(each.timing);
    if (each.work != Work::gemm) continue;
    dense->gemm_reference_seconds += each.times * each.timing.total;
    dense->gemm_flops += each.times * each.flops;
  }
  return dense;
}

ClockedCosts::Parts ClockedCosts::parts(const AtClock& clock, std::int64_t tokens, std::int64_t sequences, const AttentionSeconds& attention) const {
  const auto padded = llm::cuda_graph_tokens(tokens);
  const auto& t = clock.tokens.get(static_cast<std::size_t>(padded), [&] { return make_dense(clock, times_->of_tokens(padded)); });
  const auto& s = clock.sequences.get(static_cast<std::size_t>(sequences), [&] { return make_dense(clock, times_->of_sequences(sequences)); });
  Parts result;
  result.watts = clock.watts;
  for (std::size_t i = 0; i < kWorks; ++i) result.seconds[i] = t.seconds[i] + s.seconds[i];
  result.seconds[slot(Work::attention)] = clock.generation_factor * attention.generation + clock.context_factor * attention.chunks;
  result.watts[slot(Work::gemm)] =
      clock.scaling.watts(hardware::gemm_watts(gpu_, t.gemm_flops + s.gemm_flops, t.gemm_reference_seconds + s.gemm_reference_seconds));
  return result;
}

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

std::unique_ptr<const ClockedCosts::Row> ClockedCosts::make_row(Phase phase, int sequences) const {
  std::vector<std::int64_t> measured{1};
  for (const double knot : times_->knots(sequences)) {
    const auto context = static_cast<std::int64_t>(std::ceil(knot));
    if (context > measured.back() && context < longest_) measured.push_back(context);
  }
  measured.push_back(longest_);

  // At the lock: a property of (phase, sequences) alone, whatever the cap does to a segment's clock.
  const auto& clock = at(phase, clocks(phase).size() - 1);
  std::vector<std::int64_t> knots;
  for (std::size_t i = 0; i + 1 < measured.size(); ++i) {
    const double from = times_->generation(sequences, static_cast<double>(measured[i]));
    const double to = times_->generation(sequences, static_cast<double>(measured[i + 1]));
    const double slope = clock.generation_factor * (to - from) / static_cast<double>(measured[i + 1] - measured[i]);
    double seconds = parts(clock, sequences * decode_tokens_, sequences, {from, 0}).total_seconds();
    for (std::int64_t knot = measured[i]; knot < measured[i + 1];) {
      knots.push_back(knot);
      if (slope <= 0) break;
      const auto step = std::max<std::int64_t>(1, static_cast<std::int64_t>(std::min(kSegmentGrowth * seconds / slope, 1e12)));
      knot += step;
      seconds += slope * static_cast<double>(step);
    }
  }
  return std::make_unique<const Row>(std::move(knots));
}

const ClockedCosts::Row& ClockedCosts::row(Phase phase, int sequences) const {
  JOULECAST_CHECK(sequences >= 1, "a decode step has a sequence");
  return rows_[index(phase)]->get(static_cast<std::size_t>(sequences), [&] { return make_row(phase, sequences); });
}

std::size_t ClockedCosts::segment_clock(Phase phase, int sequences, std::int64_t from, std::int64_t to) const {
  const AttentionSeconds first{times_->generation(sequences, static_cast<double>(from)), 0};
  const AttentionSeconds last{times_->generation(sequences, static_cast<double>(to)), 0};
  return achieved(phase, [&](const AtClock& clock) {
    return std::max(parts(clock, sequences * decode_tokens_, sequences, first).mean_watts(),
                    parts(clock, sequences * decode_tokens_, sequences, last).mean_watts());
  });
}

StepCost ClockedCosts::fixed(const Parts& parts) const {
  StepCost cost;
  for (std::size_t i = 0; i < kWorks; ++i) {
    cost.seconds[i] = FixedTime::from_units(parts.seconds[i]);
    cost.joules[i] = FixedEnergy::from_units(tensor_parallel_ * parts.seconds[i] * parts.watts[i]);
  }
  return cost;
}

std::unique_ptr<const DecodeSegment> ClockedCosts::make_segment(Phase phase, int sequences, std::int64_t from, std::int64_t to, bool last) const {
  const auto& clock = at(phase, segment_clock(phase, sequences, from, to));
  const double first = times_->generation(sequences, static_cast<double>(from));
  const double grown = times_->generation(sequences, static_cast<double>(to));
  const double summed = static_cast<double>(sequences);
  const double slope = std::max(0.0, (grown - first) / (summed * static_cast<double>(to - from)));
  const double at_zero = first - slope * summed * static_cast<double>(from);

  auto segment = std::make_unique<DecodeSegment>();
  segment->base = fixed(parts(clock, sequences * decode_tokens_, sequences, {at_zero, 0}));
  const double attention = clock.generation_factor * slope;
  segment->attention_seconds_per_context = FixedTime::from_units(attention);
  segment->attention_joules_per_context = FixedEnergy::from_units(tensor_parallel_ * attention * clock.watts[slot(Work::attention)]);
  segment->base_seconds = segment->base.total_seconds();
  segment->base_joules = segment->base.total_joules();
  segment->context_from = sequences * from;
  segment->context_to = last ? INT64_MAX : sequences * to;
  return segment;
}

const DecodeSegment& ClockedCosts::decode(Phase clock, int sequences, std::int64_t context) const {
  const auto& of_sequences = row(clock, sequences);
  const auto i = of_sequences.segment_at(context / sequences);
  return of_sequences.segments.get(i, [&] {
    const bool last = i + 1 == of_sequences.knots.size();
    return make_segment(clock, sequences, of_sequences.knots[i], of_sequences.end(i, longest_), last);
  });
}

Hertz ClockedCosts::decode_clock(Phase clock, int sequences, std::int64_t context) const {
  const auto& of_sequences = row(clock, sequences);
  const auto i = of_sequences.segment_at(context / sequences);
  return clocks(clock)[segment_clock(clock, sequences, of_sequences.knots[i], of_sequences.end(i, longest_))];
}

StepCost ClockedCosts::mixed(Phase clock, std::span<const Chunk> chunks, int sequences, std::int64_t context) const {
  JOULECAST_CHECK(!chunks.empty(), "a mixed step has a prompt chunk");
  const auto joined = join(chunks);
  const double mean = sequences > 0 ? static_cast<double>(context) / static_cast<double>(sequences) : 0;
  const auto attention = times_->mixed(joined, sequences, mean);
  const auto tokens = static_cast<std::int64_t>(joined.tokens) + sequences * decode_tokens_;
  const auto scheduled = static_cast<std::int64_t>(chunks.size()) + sequences;
  const auto step_at = [&](const AtClock& at_clock) { return parts(at_clock, tokens, scheduled, attention); };
  const auto step = step_at(at(clock, clocks(clock).size() - 1));
  if (step.mean_watts() <= cap_) return fixed(step);
  const auto keeps = achieved(clock, [&](const AtClock& at_clock) { return step_at(at_clock).mean_watts(); });
  return fixed(step_at(at(clock, keeps)));
}

}  // namespace joulecast::serving
