#include "serving/cost/bottom_up.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace joulecast::serving {

namespace {

constexpr std::size_t slot(Work work) { return static_cast<std::size_t>(work); }

/// Steps of more tokens than the largest CUDA graph run eagerly (vLLM V1).
constexpr std::int64_t kLargestGraph = 512;

/// Step time grows by at most this within a decode segment.
constexpr double kSegmentGrowth = 0.1;

std::unique_ptr<const hardware::OperationTables> read_tables(const hardware::GpuProfile& gpu) {
  if (gpu.tables.operations.empty()) return nullptr;
  return std::make_unique<const hardware::OperationTables>(hardware::OperationTables::read_file(gpu.tables.operations));
}

std::vector<Hertz> clocks_up_to(const hardware::GpuProfile& gpu, Hertz lock) {
  std::vector<Hertz> clocks;
  for (const auto each : gpu.clock_list()) {
    if (each < lock) clocks.push_back(each);
  }
  clocks.push_back(lock);
  return clocks;
}

template <class... Figures>
Provenance worst_of(const Figures&... figures) {
  Provenance result = Provenance::measured;
  ((result = worst(result, hardware::provenance(figures.kind))), ...);
  return result;
}

}  // namespace

BottomUpCosts::AtClock::AtClock(const BottomUpCosts& costs, Hertz at)
    : clock(at),
      scaling(costs.gpu_, at, costs.point_.speed_factor),
      generation_factor(scaling.seconds({1, costs.gpu_.clock.memory_bound.value})),
      context_factor(scaling.seconds({1, costs.gpu_.clock.context_attention.value})),
      tokens(static_cast<std::size_t>(costs.most_tokens_) + 1),
      sampled(static_cast<std::size_t>(costs.most_sequences_) + 1) {
  const auto& watts_of = costs.gpu_.watts;
  watts[slot(Work::attention)] = scaling.watts(watts_of.attention.value.si());
  watts[slot(Work::collective)] = scaling.watts(watts_of.collective.value.si());
  watts[slot(Work::elementwise)] = scaling.watts(watts_of.elementwise.value.si());
  watts[slot(Work::host)] = scaling.watts(watts_of.host.value.si());
}

double BottomUpCosts::Parts::mean_watts() const {
  double time = 0, energy = 0;
  for (std::size_t i = 0; i < seconds.size(); ++i) {
    time += seconds[i];
    energy += seconds[i] * watts[i];
  }
  return time > 0 ? energy / time : 0;
}

BottomUpCosts::BottomUpCosts(hardware::GpuProfile gpu, llm::Architecture model, int tensor_parallel, const OperatingPoint& point,
                             const EngineConfig& engine)
    : gpu_(std::move(gpu)),
      model_(std::move(model)),
      tensor_parallel_(tensor_parallel),
      point_(point),
      longest_(std::max<std::int64_t>(2, engine.max_model_len > 0 ? engine.max_model_len : model_.max_position)),
      most_sequences_(engine.max_num_seqs),
      most_tokens_(llm::cuda_graph_tokens(std::max(engine.max_num_batched_tokens, engine.max_num_seqs))),
      one_clock_(point.prefill_clock == point.decode_clock),
      switch_latency_(span_from_seconds(gpu_.switch_latency.value.si())),
      cap_(point.cap.value_or(gpu_.power_limit.standard.value).si()),
      idle_rate_(FixedEnergy::from_units(1e-9 * gpu_.idle.context.value.si() * tensor_parallel)),
      tables_(read_tables(gpu_)),
      attention_(gpu_, llm::step_operations(model_, tensor_parallel, 1, 1).attention, model_.layers, model_.bytes_per_value(), tables_.get()) {
  if (tensor_parallel_ > 1) {
    all_reduce_table_ = tables_ == nullptr ? nullptr : tables_->all_reduce(tensor_parallel_);
    all_reduce_form_ = hardware::find_all_reduce(gpu_, tensor_parallel_);
    if (all_reduce_table_ == nullptr && all_reduce_form_ == nullptr) {
      throw UserError(Place{gpu_.file, 0, 0}, fmt::format("{} has no all-reduce of {} GPUs", gpu_.name, tensor_parallel_),
                      fmt::format("give the profile [all_reduce.{}], or choose a tensor parallelism it has", tensor_parallel_));
    }
  }
  for (const auto phase : {Phase::prefill, Phase::decode}) {
    const auto i = index(phase);
    if (at_[i] != nullptr) continue;
    clocks_[i] = clocks_up_to(gpu_, phase == Phase::prefill ? point_.prefill_clock : point_.decode_clock);
    at_[i] = std::make_unique<CostCache<AtClock>>(clocks_[i].size());
    rows_[i] = std::make_unique<CostCache<Row>>(static_cast<std::size_t>(most_sequences_) + 1);
  }

  const auto& g = gpu_;
  auto& time = time_provenance_;
  time[slot(Work::gemm)] = worst_of(g.gemm.launch, g.gemm.compute_efficiency, g.gemm.memory_efficiency, g.gemm.sharpness);
  time[slot(Work::attention)] = attention_.provenance();
  time[slot(Work::collective)] = all_reduce_table_ != nullptr || all_reduce_form_ == nullptr
                                     ? Provenance::measured
                                     : worst_of(all_reduce_form_->alpha, all_reduce_form_->root, all_reduce_form_->beta);
  time[slot(Work::elementwise)] = worst_of(g.elementwise_efficiency);
  time[slot(Work::host)] = worst_of(g.host.step, g.host.sequence, g.host.layer);
  auto& watts = watts_provenance_;
  watts[slot(Work::gemm)] = worst_of(g.watts.gemm_base, g.watts.gemm_slope);
  watts[slot(Work::attention)] = worst_of(g.watts.attention);
  watts[slot(Work::collective)] = worst_of(g.watts.collective);
  watts[slot(Work::elementwise)] = worst_of(g.watts.elementwise);
  watts[slot(Work::host)] = worst_of(g.watts.host);
  const bool moved = !one_clock_ || point_.decode_clock != g.clocks.reference.value || point_.speed_factor != 1 ||
                     (point_.cap && *point_.cap < g.power_limit.standard.value);
  if (moved) {
    const auto by_time = worst_of(g.clock.memory_bound, g.clock.context_attention, g.clock.collective, g.clock.sharpness);
    const auto by_watts = worst_of(g.power.dynamic_share, g.power.knee, g.power.voltage_ratio);
    for (std::size_t i = 0; i < kWorks; ++i) {
      if (i != slot(Work::host)) time[i] = worst(time[i], by_time);
      watts[i] = worst(watts[i], by_watts);
    }
  }
}

const BottomUpCosts::AtClock& BottomUpCosts::at(Phase phase, std::size_t clock) const {
  return at_[index(phase)]->get(clock, [&] { return std::make_unique<const AtClock>(*this, clocks(phase)[clock]); });
}

double BottomUpCosts::all_reduce(std::int64_t tokens, double bytes) const {
  if (all_reduce_table_ == nullptr) return hardware::all_reduce_seconds(*all_reduce_form_, bytes);
  const auto& curve = tokens <= kLargestGraph ? all_reduce_table_->graph_seconds : all_reduce_table_->eager_seconds;
  if (all_reduce_form_ == nullptr) return curve.at(bytes);
  return curve.at(bytes, [this](double size) { return hardware::all_reduce_seconds(*all_reduce_form_, size); });
}

std::unique_ptr<const BottomUpCosts::Dense> BottomUpCosts::make_tokens(const AtClock& clock, std::int64_t tokens) const {
  const auto step = llm::step_operations(model_, tensor_parallel_, tokens, 0);
  const double layers = static_cast<double>(step.layers);
  auto dense = std::make_unique<Dense>();
  for (const auto& gemm : step.layer_gemms) {
    const auto timing = hardware::gemm_timing(gpu_, gemm.flops(), gemm.bytes(model_.bytes_per_value()));
    dense->gemm_seconds += layers * clock.scaling.seconds(timing);
    dense->gemm_reference_seconds += layers * timing.total;
    dense->gemm_flops += layers * gemm.flops();
  }
  const double bytes = layers * step.layer_elementwise_bytes + step.step_elementwise_bytes;
  dense->elementwise_seconds = clock.scaling.seconds(hardware::elementwise_timing(gpu_, bytes));
  if (step.all_reduces > 0) {
    const double one = all_reduce(tokens, static_cast<double>(step.all_reduce_bytes));
    const double all = static_cast<double>(step.all_reduces) * one;
    dense->collective_seconds = clock.scaling.seconds({all, gpu_.clock.collective.value * all});
  }
  return dense;
}

std::unique_ptr<const BottomUpCosts::Dense> BottomUpCosts::make_sampled(const AtClock& clock, std::int64_t sampled) const {
  const auto step = llm::step_operations(model_, tensor_parallel_, 0, sampled);
  auto dense = std::make_unique<Dense>();
  const auto timing = hardware::gemm_timing(gpu_, step.lm_head.flops(), step.lm_head.bytes(model_.bytes_per_value()));
  dense->gemm_seconds = clock.scaling.seconds(timing);
  dense->gemm_reference_seconds = timing.total;
  dense->gemm_flops = step.lm_head.flops();
  dense->elementwise_seconds = clock.scaling.seconds(hardware::elementwise_timing(gpu_, step.step_elementwise_bytes));
  return dense;
}

BottomUpCosts::Parts BottomUpCosts::parts(const AtClock& clock, std::int64_t tokens, std::int64_t sampled, double generation, double context) const {
  const auto padded = llm::cuda_graph_tokens(tokens);
  const auto& t = clock.tokens.get(static_cast<std::size_t>(padded), [&] { return make_tokens(clock, padded); });
  const auto& s = clock.sampled.get(static_cast<std::size_t>(sampled), [&] { return make_sampled(clock, sampled); });
  Parts result;
  result.watts = clock.watts;
  result.seconds[slot(Work::gemm)] = t.gemm_seconds + s.gemm_seconds;
  result.seconds[slot(Work::attention)] = clock.generation_factor * generation + clock.context_factor * context;
  result.seconds[slot(Work::collective)] = t.collective_seconds;
  result.seconds[slot(Work::elementwise)] = t.elementwise_seconds + s.elementwise_seconds;
  result.seconds[slot(Work::host)] = gpu_.host.step.value.si() + gpu_.host.sequence.value.si() * static_cast<double>(sampled) +
                                     gpu_.host.layer.value.si() * static_cast<double>(model_.layers);
  result.watts[slot(Work::gemm)] =
      clock.scaling.watts(hardware::gemm_watts(gpu_, t.gemm_flops + s.gemm_flops, t.gemm_reference_seconds + s.gemm_reference_seconds));
  return result;
}

template <class MeanWatts>
std::size_t BottomUpCosts::achieved(Phase phase, MeanWatts&& mean_watts) const {
  const std::size_t top = clocks(phase).size() - 1;
  if (mean_watts(at(phase, top)) <= cap_) return top;
  std::size_t keeps = 0, breaks = top;  // the lowest clock is taken even where it breaks the cap
  while (breaks - keeps > 1) {
    const std::size_t middle = keeps + (breaks - keeps) / 2;
    (mean_watts(at(phase, middle)) <= cap_ ? keeps : breaks) = middle;
  }
  return keeps;
}

std::unique_ptr<const BottomUpCosts::Row> BottomUpCosts::make_row(Phase phase, int sequences) const {
  // At the lock: a property of (phase, sequences) alone, whatever the cap does to a segment's clock.
  const auto& clock = at(phase, clocks(phase).size() - 1);
  const auto step_seconds = [&](double attention) {
    const auto step = parts(clock, sequences, sequences, attention, 0);
    double total = 0;
    for (const double seconds : step.seconds) total += seconds;
    return total;
  };
  const auto table = attention_.knots(sequences, longest_);
  std::vector<std::int64_t> knots;
  for (std::size_t i = 0; i + 1 < table.size(); ++i) {
    const double from = attention_.generation(sequences, static_cast<double>(table[i]));
    const double to = attention_.generation(sequences, static_cast<double>(table[i + 1]));
    const double slope = clock.generation_factor * (to - from) / static_cast<double>(table[i + 1] - table[i]);
    double seconds = step_seconds(from);
    std::int64_t knot = table[i];
    while (knot < table[i + 1]) {
      knots.push_back(knot);
      if (slope <= 0) break;
      const double next = std::min(kSegmentGrowth * seconds / slope, 1e12);
      const auto step = std::max<std::int64_t>(1, static_cast<std::int64_t>(next));
      knot += step;
      seconds += slope * static_cast<double>(step);
    }
  }
  return std::make_unique<const Row>(std::move(knots));
}

const BottomUpCosts::Row& BottomUpCosts::row(Phase phase, int sequences) const {
  JOULECAST_CHECK(sequences >= 1, "a decode step has a sequence");
  return rows_[index(phase)]->get(static_cast<std::size_t>(sequences), [&] { return make_row(phase, sequences); });
}

std::size_t BottomUpCosts::segment_clock(Phase phase, int sequences, std::int64_t from, std::int64_t to) const {
  const double first = attention_.generation(sequences, static_cast<double>(from));
  const double last = attention_.generation(sequences, static_cast<double>(to));
  return achieved(phase, [&](const AtClock& clock) {
    return std::max(parts(clock, sequences, sequences, first, 0).mean_watts(), parts(clock, sequences, sequences, last, 0).mean_watts());
  });
}

StepCost BottomUpCosts::fixed(const Parts& parts) const {
  StepCost cost;
  for (std::size_t i = 0; i < kWorks; ++i) {
    cost.seconds[i] = FixedTime::from_units(parts.seconds[i]);
    cost.joules[i] = FixedEnergy::from_units(tensor_parallel_ * parts.seconds[i] * parts.watts[i]);
  }
  return cost;
}

std::unique_ptr<const DecodeSegment> BottomUpCosts::make_segment(Phase phase, int sequences, std::int64_t from, std::int64_t to, bool last) const {
  const auto& clock = at(phase, segment_clock(phase, sequences, from, to));
  const double first = attention_.generation(sequences, static_cast<double>(from));
  const double grown = attention_.generation(sequences, static_cast<double>(to));
  const double summed = static_cast<double>(sequences);
  const double slope = std::max(0.0, (grown - first) / (summed * static_cast<double>(to - from)));
  const double at_zero = first - slope * summed * static_cast<double>(from);
  const auto step = parts(clock, sequences, sequences, at_zero, 0);

  auto segment = std::make_unique<DecodeSegment>();
  segment->base = fixed(step);
  const double attention = clock.generation_factor * slope;
  segment->attention_seconds_per_context = FixedTime::from_units(attention);
  segment->attention_joules_per_context = FixedEnergy::from_units(tensor_parallel_ * attention * clock.watts[slot(Work::attention)]);
  segment->base_seconds = segment->base.total_seconds();
  segment->base_joules = segment->base.total_joules();
  segment->context_from = sequences * from;
  segment->context_to = last ? INT64_MAX : sequences * to;
  return segment;
}

const DecodeSegment& BottomUpCosts::decode(Phase clock, int sequences, std::int64_t context) const {
  const auto& knots_row = row(clock, sequences);
  const auto& knots = knots_row.knots;
  const std::int64_t mean = std::max<std::int64_t>(1, context / sequences);
  const auto after = std::upper_bound(knots.begin(), knots.end(), mean);
  const auto i = static_cast<std::size_t>(after - knots.begin()) - 1;
  return knots_row.segments.get(i, [&] {
    const bool last = i + 1 == knots.size();
    return make_segment(clock, sequences, knots[i], last ? std::max(longest_, knots[i] + 1) : knots[i + 1], last);
  });
}

Hertz BottomUpCosts::decode_clock(Phase clock, int sequences, std::int64_t context) const {
  const auto& knots = row(clock, sequences).knots;
  const auto after = std::upper_bound(knots.begin(), knots.end(), std::max<std::int64_t>(1, context / sequences));
  const auto i = static_cast<std::size_t>(after - knots.begin()) - 1;
  const std::int64_t to = i + 1 == knots.size() ? std::max(longest_, knots[i] + 1) : knots[i + 1];
  return clocks(clock)[segment_clock(clock, sequences, knots[i], to)];
}

StepCost BottomUpCosts::mixed(Phase clock, std::span<const Chunk> chunks, int sequences, std::int64_t context) const {
  JOULECAST_CHECK(!chunks.empty(), "a mixed step has a prompt chunk");
  const auto joined = join(chunks);
  const double prompt = attention_.chunks(joined);
  const double generation = sequences > 0 ? attention_.generation(sequences, static_cast<double>(context) / static_cast<double>(sequences)) : 0;
  const auto tokens = static_cast<std::int64_t>(joined.tokens) + sequences;
  const auto sampled = static_cast<std::int64_t>(chunks.size()) + sequences;
  const auto step_at = [&](const AtClock& at_clock) { return parts(at_clock, tokens, sampled, generation, prompt); };
  const auto top = clocks(clock).size() - 1;
  const auto step = step_at(at(clock, top));
  if (step.mean_watts() <= cap_) return fixed(step);
  const auto keeps = achieved(clock, [&](const AtClock& at_clock) { return step_at(at_clock).mean_watts(); });
  return fixed(step_at(at(clock, keeps)));
}

std::unique_ptr<StepCosts> bottom_up_costs(const hardware::GpuProfile& gpu, const llm::Architecture& model, int tensor_parallel,
                                           const OperatingPoint& point, const EngineConfig& engine) {
  llm::check_tensor_parallel(model, tensor_parallel, Place{});
  return std::make_unique<BottomUpCosts>(gpu, model, tensor_parallel, point, engine);
}

}  // namespace joulecast::serving
