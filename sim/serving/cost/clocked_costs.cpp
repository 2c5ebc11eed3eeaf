#include "serving/cost/clocked_costs.hpp"

#include <algorithm>
#include <cmath>

#include "llm/operations.hpp"

namespace joulecast::serving {

namespace {

constexpr std::size_t slot(Work work) { return static_cast<std::size_t>(work); }

/// Step time grows by at most this within a decode segment.
constexpr double kSegmentGrowth = 0.1;

constexpr std::size_t kUnevenLevels = 257;

hardware::ContextSpread spread_of(int sequences, const Contexts& contexts) {
  if (sequences == 0) return {};
  const auto n = static_cast<double>(sequences);
  const double mean = static_cast<double>(contexts.sum) / n;
  return {mean, mean + static_cast<double>(contexts.uneven.reach) / n, static_cast<double>(contexts.uneven.scatter) / (n * n)};
}

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
      all_ranks(static_cast<std::size_t>(costs.most_tokens_ * costs.ranks_) + 1),
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

ClockedCosts::ClockedCosts(std::shared_ptr<const OperationTimes> times, const hardware::GpuProfile& gpu, const llm::Architecture& model,
                           int tensor_parallel, const OperatingPoint& point, const EngineConfig& engine, hardware::ServingResidual residual)
    : times_(std::move(times)),
      gpu_(gpu),
      model_(model),
      engine_(engine),
      residual_(std::move(residual)),
      ranks_(static_cast<int>(engine.data_parallel_size)),
      gpus_(tensor_parallel * ranks_),
      speed_factor_(point.speed_factor),
      longest_(std::max<std::int64_t>(2, engine.max_model_len > 0 ? engine.max_model_len : model.max_position)),
      most_sequences_(engine.max_num_seqs * ranks_),
      most_tokens_(llm::cuda_graph_tokens(ranks_ * std::max(engine.max_num_batched_tokens, engine.max_num_seqs * engine.speculative.scheduled()))),
      decode_tokens_(engine.speculative.scheduled()),
      rank_tokens_(engine.max_num_batched_tokens),
      levels_(times_->knows_uneven() ? kUnevenLevels : 1),
      one_clock_(point.prefill_clock == point.decode_clock),
      shares_(!times_->of_all_ranks(1).empty()),
      switch_latency_(span_from_seconds(gpu_.switch_latency.value.si())),
      cap_(point.cap.value_or(gpu_.power_limit.standard.value).si()),
      idle_rate_(FixedEnergy::from_units(1e-9 * gpu_.idle.context.value.si() * gpus_)),
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

std::unique_ptr<StepCosts> ClockedCosts::at_point(const OperatingPoint& point) const {
  return std::make_unique<ClockedCosts>(times_, gpu_, model_, gpus_ / ranks_, point, engine_, residual_);
}

Provenance ClockedCosts::through_points(Provenance predicted) const {
  if (residual_.points().empty()) return predicted;
  return beyond_points_ ? worst(predicted, Provenance::calibrated) : Provenance::calibrated;
}

Provenance ClockedCosts::time_provenance(Work work) const {
  if (beyond_attention_ && work == Work::attention) return Provenance::modelled;
  if (beyond_tokens_ && (work == Work::gemm || work == Work::elementwise)) return Provenance::modelled;
  const Provenance at_reference = through_points(time_provenance_[slot(work)]);
  if (work == Work::host || !(locked_ || capped_)) return at_reference;
  const auto& clock = gpu_.clock;
  return worst(at_reference, worst_of(clock.memory_bound, clock.context_attention, clock.collective, clock.sharpness));
}

Provenance ClockedCosts::watts_provenance(Work work) const {
  const Provenance at_reference = through_points(watts_provenance_[slot(work)]);
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

const ClockedCosts::Scheduled& ClockedCosts::scheduled(const AtClock& clock, std::int64_t sequences_of_a_rank) const {
  return clock.sequences.get(static_cast<std::size_t>(sequences_of_a_rank), [&] {
    const auto batch = static_cast<double>(std::max<std::int64_t>(1, sequences_of_a_rank * ranks_));
    if (!residual_.points().empty() && !residual_.reaches(batch)) beyond_points_ = true;
    return std::make_unique<const Scheduled>(Scheduled{*make_dense(clock, times_->of_sequences(sequences_of_a_rank)), residual_.at(batch)});
  });
}

const ClockedCosts::Dense& ClockedCosts::dense(const AtClock& clock, std::int64_t padded) const {
  return clock.tokens.get(static_cast<std::size_t>(padded), [&] { return make_dense(clock, times_->of_tokens(padded)); });
}

ClockedCosts::Parts ClockedCosts::parts(const AtClock& clock, std::span<const RankStep> ranks) const {
  const auto seconds_of = [&](const RankStep& step) {
    const Dense &t = dense(clock, llm::cuda_graph_tokens(step.tokens)), &s = scheduled(clock, step.sequences).dense;
    double total = attention_seconds(clock, step);
    for (std::size_t i = 0; i < kWorks; ++i) total += t.seconds[i] + s.seconds[i];
    return total;
  };
  const RankStep* slowest = &ranks.front();
  if (ranks.size() > 1) {
    slowest = &*std::max_element(ranks.begin(), ranks.end(), [&](const RankStep& a, const RankStep& b) { return seconds_of(a) < seconds_of(b); });
  }
  std::int64_t all_tokens = 0;
  for (const RankStep& step : ranks) all_tokens += llm::cuda_graph_tokens(step.tokens);
  return parts(clock, *slowest, llm::cuda_graph_tokens(slowest->tokens), all_tokens);
}

/// All ranks with this step.
ClockedCosts::Parts ClockedCosts::parts(const AtClock& clock, const RankStep& step) const {
  const std::int64_t padded = llm::cuda_graph_tokens(step.tokens);
  return parts(clock, step, padded, ranks_ * padded);
}

ClockedCosts::Parts ClockedCosts::parts(const AtClock& clock, const RankStep& slowest, std::int64_t padded, std::int64_t all_tokens) const {
  if (!times_->covers_tokens(padded, all_tokens)) beyond_tokens_ = true;
  const Dense& t = dense(clock, padded);
  const Scheduled& of_sequences = scheduled(clock, slowest.sequences);
  const Dense& s = of_sequences.dense;
  Parts result;
  result.watts = clock.watts;
  for (std::size_t i = 0; i < kWorks; ++i) result.seconds[i] = t.seconds[i] + s.seconds[i];
  double flops = t.gemm_flops + s.gemm_flops, reference = t.gemm_reference_seconds + s.gemm_reference_seconds;
  if (shares_) {
    const Dense& all = clock.all_ranks.get(static_cast<std::size_t>(all_tokens), [&] { return make_dense(clock, times_->of_all_ranks(all_tokens)); });
    for (std::size_t i = 0; i < kWorks; ++i) result.seconds[i] += all.seconds[i];
    flops += all.gemm_flops;
    reference += all.gemm_reference_seconds;
  }
  result.seconds[slot(Work::attention)] = attention_seconds(clock, slowest);
  result.watts[slot(Work::gemm)] = clock.scaling.watts(hardware::gemm_watts(gpu_, flops, reference));
  if (residual_.points().empty()) return result;
  for (double& seconds : result.seconds) seconds *= of_sequences.residual.seconds_ratio;
  for (double& watts : result.watts) watts *= of_sequences.residual.watts_ratio;
  return result;
}

ClockedCosts::Parts ClockedCosts::decode_parts(const AtClock& clock, int sequences, double attention) const {
  const int each = of_a_rank(sequences);
  return parts(clock, RankStep{each * decode_tokens_, each, {attention, 0}});
}

/// Decoding sequences in equal parts; chunks whole, the longest first, each to the rank with the fewest tokens.
std::vector<ClockedCosts::RankStep> ClockedCosts::rank_steps(std::span<const Chunk> chunks, int sequences, const Contexts& contexts) const {
  std::vector<Chunk> pieces;
  for (const Chunk& chunk : chunks) {
    for (std::int64_t done = 0; done < chunk.tokens; done += rank_tokens_) {
      pieces.push_back({std::min(rank_tokens_, chunk.tokens - done), chunk.context + done});
    }
  }
  std::stable_sort(pieces.begin(), pieces.end(), [](const Chunk& a, const Chunk& b) { return a.tokens > b.tokens; });
  std::vector<std::vector<Chunk>> of_rank(static_cast<std::size_t>(ranks_));
  std::vector<std::int64_t> tokens(static_cast<std::size_t>(ranks_), 0);
  for (const Chunk& piece : pieces) {
    const auto least = static_cast<std::size_t>(std::min_element(tokens.begin(), tokens.end()) - tokens.begin());
    tokens[least] += piece.tokens;
    of_rank[least].push_back(piece);
  }
  std::vector<RankStep> steps;
  for (const std::vector<Chunk>& own : of_rank) steps.push_back(rank_step(own, sequences, contexts));
  return steps;
}

/// Of a rank with these chunks and its part of all decoding sequences.
ClockedCosts::RankStep ClockedCosts::rank_step(std::span<const Chunk> own, int sequences, const Contexts& contexts) const {
  const int decodes = of_a_rank(sequences);
  const hardware::ContextSpread spread = spread_of(sequences, contexts);
  RankStep step;
  step.sequences = static_cast<std::int64_t>(own.size()) + decodes;
  if (own.empty()) {
    step.tokens = decodes * decode_tokens_;
    if (decodes > 0) step.attention.generation = times_->generation(decodes, spread.mean) * (1 + times_->uneven_share(decodes, spread));
    return step;
  }
  const JoinedChunks joined = join(own);
  if (!times_->covers_chunk(joined) || (decodes > 0 && !times_->covers_decode(decodes, spread.mean))) beyond_attention_ = true;
  step.tokens = static_cast<std::int64_t>(joined.tokens) + decodes * decode_tokens_;
  step.attention = times_->mixed(joined, decodes, spread);
  return step;
}

std::unique_ptr<const ClockedCosts::Row> ClockedCosts::make_row(Phase phase, int sequences) const {
  std::vector<std::int64_t> measured{1};
  for (const double knot : times_->knots(of_a_rank(sequences))) {
    const auto context = static_cast<std::int64_t>(std::ceil(knot));
    if (context > measured.back() && context < longest_) measured.push_back(context);
  }
  measured.push_back(longest_);

  // At the lock: a property of (phase, sequences) alone, whatever the cap does to a segment's clock.
  const auto& clock = at(phase, clocks(phase).size() - 1);
  const double ratio = scheduled(clock, of_a_rank(sequences)).residual.seconds_ratio;
  std::vector<std::int64_t> knots;
  for (std::size_t i = 0; i + 1 < measured.size(); ++i) {
    const double from = generation(sequences, static_cast<double>(measured[i]));
    const double to = generation(sequences, static_cast<double>(measured[i + 1]));
    const double slope = ratio * clock.generation_factor * (to - from) / static_cast<double>(measured[i + 1] - measured[i]);
    double seconds = decode_parts(clock, sequences, from).total_seconds();
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

std::size_t ClockedCosts::uneven_level(int sequences, std::int64_t from, std::int64_t to, const Unevenness& uneven) const {
  if (levels_ == 1 || uneven == Unevenness{}) return 0;
  hardware::ContextSpread spread = spread_of(sequences, {0, uneven});
  const double middle = static_cast<double>(from + (to - from) / 2);
  spread.mean += middle;
  spread.longest += middle;
  const double level = std::round(times_->uneven_share(of_a_rank(sequences), spread) / kUnevenStep);
  return static_cast<std::size_t>(std::min(level, static_cast<double>(levels_ - 1)));
}

StepCost ClockedCosts::fixed(const Parts& parts) const {
  StepCost cost;
  for (std::size_t i = 0; i < kWorks; ++i) {
    cost.seconds[i] = FixedTime::from_units(parts.seconds[i]);
    cost.joules[i] = FixedEnergy::from_units(gpus_ * parts.seconds[i] * parts.watts[i]);
  }
  return cost;
}

const DecodeSegment& ClockedCosts::decode(Phase clock, int sequences, const Contexts& contexts) const {
  const auto& of_sequences = row(clock, sequences);
  const auto i = of_sequences.segment_at(contexts.sum / sequences);
  const std::int64_t from = of_sequences.knots[i], to = of_sequences.end(i, longest_);
  const auto& levels = of_sequences.segments.get(i, [&] { return std::make_unique<const CostCache<Pieces>>(levels_); });
  const std::size_t level = uneven_level(sequences, from, to, contexts.uneven);
  const Pieces& pieces = levels.get(level, [&] { return make_pieces(clock, sequences, from, to, i + 1 == of_sequences.knots.size(), level); });
  const DecodeSegment* piece = pieces.data();
  while (contexts.sum >= piece->context_to) ++piece;
  return *piece;
}

}  // namespace joulecast::serving
