#include "serving/cost/layer_costs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "hardware/forms.hpp"
#include "llm/operations.hpp"
#include "serving/cost/attention_costs.hpp"
#include "serving/cost/cost_cache.hpp"

namespace joulecast::serving {

namespace {

using hardware::Layer;
using hardware::Timing;

constexpr std::size_t slot(Work work) { return static_cast<std::size_t>(work); }

/// Step time grows by at most this within a decode segment.
constexpr double kSegmentGrowth = 0.1;

Timing operator+(const Timing& a, const Timing& b) { return {a.total + b.total, a.core + b.core}; }
Timing operator*(double k, const Timing& a) { return {k * a.total, k * a.core}; }

/// A step of one GPU at the reference clock.
struct ReferenceStep {
  std::array<Timing, kWorks> work{};
  double gemm_flops = 0;

  friend ReferenceStep operator+(const ReferenceStep& a, const ReferenceStep& b) {
    ReferenceStep sum = a;
    for (std::size_t i = 0; i < kWorks; ++i) sum.work[i] = a.work[i] + b.work[i];
    sum.gemm_flops += b.gemm_flops;
    return sum;
  }
};

/// The same at a clock.
struct ClockedStep {
  std::array<double, kWorks> seconds{}, watts{};

  double total_seconds() const {
    double total = 0;
    for (const double part : seconds) total += part;
    return total;
  }
  double mean_watts() const {
    double energy = 0;
    for (std::size_t i = 0; i < kWorks; ++i) energy += seconds[i] * watts[i];
    return energy / total_seconds();
  }
};

class LayerCosts final : public StepCosts {
 public:
  LayerCosts(hardware::LayerTable table, const hardware::GpuProfile& gpu, const llm::Architecture& model, int tensor_parallel,
             const OperatingPoint& point, const EngineConfig& engine);

  const DecodeSegment& decode(Phase phase, int sequences, std::int64_t context) const override;
  StepCost mixed(Phase phase, std::span<const Chunk> chunks, int sequences, std::int64_t context) const override;
  FixedEnergy idle_joules_per_nanosecond() const override { return idle_rate_; }
  Provenance time_provenance(Work work) const override { return time_provenance_[slot(work)]; }
  Provenance watts_provenance(Work work) const override { return watts_provenance_[slot(work)]; }
  Span switch_latency() const override { return one_clock_ ? Span{} : switch_latency_; }
  bool one_clock() const override { return one_clock_; }

 private:
  /// Decode segments of so many sequences, from mean context knots[i] to knots[i + 1]; the last one has no end.
  struct Row {
    std::vector<std::int64_t> knots;
    std::vector<DecodeSegment> segments;
  };
  struct Clocks {
    std::vector<hardware::ClockScaling> scalings;  ///< of the clocks that exist up to the phase's lock, rising; the lock last
    std::unique_ptr<CostCache<Row>> rows;
  };

  const Clocks& clocks(Phase phase) const { return clocks_[one_clock_ ? 0 : static_cast<std::size_t>(phase)]; }
  std::unique_ptr<const ReferenceStep> make_tokens(std::int64_t padded) const;
  std::unique_ptr<const ReferenceStep> make_sampled(std::int64_t sampled) const;
  ReferenceStep dense(std::int64_t tokens, std::int64_t sampled) const;
  double generation(int sequences, double mean) const;
  /// `base` with decode attention of so many seconds.
  ReferenceStep with_generation(ReferenceStep base, double seconds) const;
  ClockedStep at(const hardware::ClockScaling& scaling, const ReferenceStep& step) const;
  /// The highest clock at which all `steps` keep the cap, else the lowest.
  const hardware::ClockScaling& achieved(const Clocks& clocks, std::span<const ReferenceStep> steps) const;
  std::unique_ptr<const Row> make_row(const Clocks& clocks, int sequences) const;
  DecodeSegment make_segment(const Clocks& clocks, int sequences, std::int64_t from, std::int64_t to, bool last) const;
  StepCost fixed(const ClockedStep& step) const;

  hardware::LayerTable table_;
  hardware::GpuProfile gpu_;
  llm::Architecture model_;
  int tensor_parallel_;
  const hardware::AllReduceForm* all_reduce_ = nullptr;
  std::int64_t longest_;
  bool one_clock_;
  Span switch_latency_;
  double cap_;
  FixedEnergy idle_rate_;
  std::array<Provenance, kWorks> time_provenance_{}, watts_provenance_{};
  std::array<Clocks, 2> clocks_;
  CostCache<ReferenceStep> tokens_, sampled_;
};

template <class... Figures>
Provenance worst_of(const Figures&... figures) {
  Provenance result = Provenance::measured;
  ((result = worst(result, hardware::provenance(figures.kind))), ...);
  return result;
}

LayerCosts::LayerCosts(hardware::LayerTable table, const hardware::GpuProfile& gpu, const llm::Architecture& model, int tensor_parallel,
                       const OperatingPoint& point, const EngineConfig& engine)
    : table_(std::move(table)),
      gpu_(gpu),
      model_(model),
      tensor_parallel_(tensor_parallel),
      longest_(engine.max_model_len > 0 ? engine.max_model_len : model.max_position),
      one_clock_(point.prefill_clock == point.decode_clock),
      switch_latency_(span_from_seconds(gpu.switch_latency.value.si())),
      cap_(point.cap.value_or(gpu.power_limit.standard.value).si()),
      idle_rate_(FixedEnergy::from_units(1e-9 * gpu.idle.context.value.si() * tensor_parallel)),
      tokens_(static_cast<std::size_t>(llm::cuda_graph_tokens(std::max(engine.max_num_batched_tokens, engine.max_num_seqs))) + 1),
      sampled_(static_cast<std::size_t>(engine.max_num_seqs) + 1) {
  if (tensor_parallel_ > 1) {
    all_reduce_ = hardware::find_all_reduce(gpu_, tensor_parallel_);
    if (all_reduce_ == nullptr) {
      throw UserError(Place{gpu_.file, 0, 0}, fmt::format("{} has no all-reduce of {} GPUs", gpu_.name, tensor_parallel_),
                      "give the profile one, or choose a tensor parallelism it has");
    }
  }
  for (const Phase phase : {Phase::prefill, Phase::decode}) {
    Clocks& clocks = clocks_[one_clock_ ? 0 : static_cast<std::size_t>(phase)];
    if (clocks.rows != nullptr) continue;
    const Hertz lock = phase == Phase::prefill ? point.prefill_clock : point.decode_clock;
    for (const Hertz clock : gpu_.clock_list()) {
      if (clock < lock) clocks.scalings.emplace_back(gpu_, clock, point.speed_factor);
    }
    clocks.scalings.emplace_back(gpu_, lock, point.speed_factor);
    clocks.rows = std::make_unique<CostCache<Row>>(static_cast<std::size_t>(engine.max_num_seqs) + 1);
  }

  time_provenance_.fill(Provenance::measured);
  if (all_reduce_ != nullptr) time_provenance_[slot(Work::collective)] = worst_of(all_reduce_->alpha, all_reduce_->root, all_reduce_->beta);
  watts_provenance_ = {worst_of(gpu_.watts.gemm_base, gpu_.watts.gemm_slope), worst_of(gpu_.watts.attention), worst_of(gpu_.watts.collective),
                       worst_of(gpu_.watts.elementwise), worst_of(gpu_.watts.host)};
  const bool moved = !one_clock_ || point.decode_clock != gpu_.clocks.reference.value || point.speed_factor != 1 ||
                     (point.cap && *point.cap < gpu_.power_limit.standard.value);
  if (!moved) return;
  const auto by_time = worst_of(gpu_.clock.memory_bound, gpu_.clock.context_attention, gpu_.clock.collective, gpu_.clock.sharpness);
  const auto by_watts = worst_of(gpu_.power.dynamic_share, gpu_.power.knee, gpu_.power.voltage_ratio);
  for (std::size_t i = 0; i < kWorks; ++i) {
    if (i != slot(Work::host)) time_provenance_[i] = worst(time_provenance_[i], by_time);
    watts_provenance_[i] = worst(watts_provenance_[i], by_watts);
  }
}

std::unique_ptr<const ReferenceStep> LayerCosts::make_tokens(std::int64_t padded) const {
  const auto operations = llm::step_operations(model_, tensor_parallel_, padded, 0);
  const auto tokens = static_cast<double>(padded), layers = static_cast<double>(operations.layers);
  const double memory_bound = gpu_.clock.memory_bound.value;
  auto step = std::make_unique<ReferenceStep>();
  constexpr std::array gemms{Layer::qkv_proj, Layer::o_proj, Layer::gate_up_proj, Layer::down_proj};
  for (std::size_t i = 0; i < gemms.size(); ++i) {
    const double total = table_.dense(gemms[i], tokens), flops = operations.layer_gemms[i].flops();
    const double compute = flops / (gpu_.gemm.compute_efficiency.value * gpu_.peak_bf16.value.si());
    step->work[slot(Work::gemm)] = step->work[slot(Work::gemm)] + layers * Timing{total, std::min(total, std::max(compute, memory_bound * total))};
    step->gemm_flops += layers * flops;
  }
  const double elementwise = layers * (table_.dense(Layer::rotary_emb, tokens) + 2 * table_.dense(Layer::layernorm, tokens) +
                                       table_.dense(Layer::qk_norm, tokens) + table_.dense(Layer::act_fn, tokens)) +
                             table_.dense(Layer::embedding, tokens) + table_.dense(Layer::final_layernorm, tokens);
  step->work[slot(Work::elementwise)] = {elementwise, memory_bound * elementwise};
  if (all_reduce_ != nullptr) {
    const double collective =
        static_cast<double>(operations.all_reduces) * hardware::all_reduce_seconds(*all_reduce_, static_cast<double>(operations.all_reduce_bytes));
    step->work[slot(Work::collective)] = {collective, gpu_.clock.collective.value * collective};
  }
  step->work[slot(Work::host)] = {table_.about().step_gap, 0};
  return step;
}

std::unique_ptr<const ReferenceStep> LayerCosts::make_sampled(std::int64_t sampled) const {
  const auto sequences = static_cast<double>(sampled);
  const double memory_bound = gpu_.clock.memory_bound.value;
  auto step = std::make_unique<ReferenceStep>();
  const double total = table_.dense(Layer::lm_head, sequences), sampler = table_.dense(Layer::sampler, sequences);
  step->gemm_flops = llm::step_operations(model_, tensor_parallel_, 0, sampled).lm_head.flops();
  const double compute = step->gemm_flops / (gpu_.gemm.compute_efficiency.value * gpu_.peak_bf16.value.si());
  step->work[slot(Work::gemm)] = {total, std::min(total, std::max(compute, memory_bound * total))};
  step->work[slot(Work::elementwise)] = {sampler, memory_bound * sampler};
  return step;
}

ReferenceStep LayerCosts::dense(std::int64_t tokens, std::int64_t sampled) const {
  const auto padded = llm::cuda_graph_tokens(tokens);
  return tokens_.get(static_cast<std::size_t>(padded), [&] { return make_tokens(padded); }) +
         sampled_.get(static_cast<std::size_t>(sampled), [&] { return make_sampled(sampled); });
}

double LayerCosts::generation(int sequences, double mean) const {
  return static_cast<double>(model_.layers) * table_.attention(0, 0, sequences, mean);
}

ReferenceStep LayerCosts::with_generation(ReferenceStep base, double seconds) const {
  base.work[slot(Work::attention)] = {seconds, gpu_.clock.memory_bound.value * seconds};
  return base;
}

ClockedStep LayerCosts::at(const hardware::ClockScaling& scaling, const ReferenceStep& step) const {
  ClockedStep clocked;
  for (std::size_t i = 0; i < kWorks; ++i) clocked.seconds[i] = scaling.seconds(step.work[i]);
  const auto& watts = gpu_.watts;
  clocked.watts = {hardware::gemm_watts(gpu_, step.gemm_flops, step.work[slot(Work::gemm)].total), watts.attention.value.si(),
                   watts.collective.value.si(), watts.elementwise.value.si(), watts.host.value.si()};
  for (double& w : clocked.watts) w = scaling.watts(w);
  return clocked;
}

const hardware::ClockScaling& LayerCosts::achieved(const Clocks& clocks, std::span<const ReferenceStep> steps) const {
  const auto keeps = [&](std::size_t i) {
    return std::all_of(steps.begin(), steps.end(), [&](const ReferenceStep& step) { return at(clocks.scalings[i], step).mean_watts() <= cap_; });
  };
  std::size_t low = 0, high = clocks.scalings.size() - 1;
  if (keeps(high)) return clocks.scalings[high];
  while (high - low > 1) {
    const std::size_t middle = low + (high - low) / 2;
    (keeps(middle) ? low : high) = middle;
  }
  return clocks.scalings[low];
}

StepCost LayerCosts::fixed(const ClockedStep& step) const {
  StepCost cost;
  for (std::size_t i = 0; i < kWorks; ++i) {
    cost.seconds[i] = FixedTime::from_units(step.seconds[i]);
    cost.joules[i] = FixedEnergy::from_units(tensor_parallel_ * step.seconds[i] * step.watts[i]);
  }
  return cost;
}

DecodeSegment LayerCosts::make_segment(const Clocks& clocks, int sequences, std::int64_t from, std::int64_t to, bool last) const {
  const ReferenceStep base = dense(sequences, sequences);
  const double first = generation(sequences, static_cast<double>(from)), grown = generation(sequences, static_cast<double>(to));
  const std::array ends{with_generation(base, first), with_generation(base, grown)};
  const auto& scaling = achieved(clocks, ends);
  const double slope = std::max(0.0, (grown - first) / (static_cast<double>(sequences) * static_cast<double>(to - from)));
  const double at_zero = first - slope * static_cast<double>(sequences) * static_cast<double>(from);
  const double factor = scaling.seconds({1, gpu_.clock.memory_bound.value});
  ClockedStep step = at(scaling, base);
  step.seconds[slot(Work::attention)] = factor * at_zero;

  DecodeSegment segment;
  segment.base = fixed(step);
  segment.attention_seconds_per_context = FixedTime::from_units(factor * slope);
  segment.attention_joules_per_context = FixedEnergy::from_units(tensor_parallel_ * factor * slope * step.watts[slot(Work::attention)]);
  segment.base_seconds = segment.base.total_seconds();
  segment.base_joules = segment.base.total_joules();
  segment.context_from = sequences * from;
  segment.context_to = last ? INT64_MAX : sequences * to;
  return segment;
}

std::unique_ptr<const LayerCosts::Row> LayerCosts::make_row(const Clocks& clocks, int sequences) const {
  std::vector<std::int64_t> measured{1};
  for (const double knot : table_.decode_knots(sequences)) {
    const auto context = static_cast<std::int64_t>(knot);
    if (context > measured.back() && context < longest_) measured.push_back(context);
  }
  measured.push_back(std::max(longest_, measured.back() + 1));

  // At the lock: a property of (phase, sequences) alone, whatever the cap does to a segment's clock.
  const auto& lock = clocks.scalings.back();
  const double factor = lock.seconds({1, gpu_.clock.memory_bound.value});
  const double others = at(lock, dense(sequences, sequences)).total_seconds();
  auto row = std::make_unique<Row>();
  for (std::size_t i = 0; i + 1 < measured.size(); ++i) {
    const double from = factor * generation(sequences, static_cast<double>(measured[i]));
    const double to = factor * generation(sequences, static_cast<double>(measured[i + 1]));
    const double slope = (to - from) / static_cast<double>(measured[i + 1] - measured[i]);
    double seconds = others + from;
    for (std::int64_t knot = measured[i]; knot < measured[i + 1];) {
      row->knots.push_back(knot);
      if (slope <= 0) break;
      const auto step = std::max<std::int64_t>(1, static_cast<std::int64_t>(std::min(kSegmentGrowth * seconds / slope, 1e12)));
      knot += step;
      seconds += slope * static_cast<double>(step);
    }
  }
  for (std::size_t i = 0; i < row->knots.size(); ++i) {
    const bool last = i + 1 == row->knots.size();
    row->segments.push_back(make_segment(clocks, sequences, row->knots[i], last ? std::max(longest_, row->knots[i] + 1) : row->knots[i + 1], last));
  }
  return row;
}

const DecodeSegment& LayerCosts::decode(Phase phase, int sequences, std::int64_t context) const {
  JOULECAST_CHECK(sequences >= 1, "a decode step has a sequence");
  const Clocks& of_phase = clocks(phase);
  const Row& row = of_phase.rows->get(static_cast<std::size_t>(sequences), [&] { return make_row(of_phase, sequences); });
  const std::int64_t mean = std::max<std::int64_t>(1, context / sequences);
  const auto after = std::upper_bound(row.knots.begin(), row.knots.end(), mean);
  return row.segments[static_cast<std::size_t>(after - row.knots.begin()) - 1];
}

StepCost LayerCosts::mixed(Phase phase, std::span<const Chunk> chunks, int sequences, std::int64_t context) const {
  JOULECAST_CHECK(!chunks.empty(), "a mixed step has a prompt chunk");
  const auto joined = join(chunks);
  const double mean = sequences > 0 ? static_cast<double>(context) / sequences : 0;
  const auto layers = static_cast<double>(model_.layers);
  const double prompt = layers * table_.attention(joined.tokens, joined.context, 0, 0);
  const double whole = layers * table_.attention(joined.tokens, joined.context, sequences, mean);
  ReferenceStep step = dense(static_cast<std::int64_t>(joined.tokens) + sequences, static_cast<std::int64_t>(chunks.size()) + sequences);
  step.work[slot(Work::attention)] = {whole, gpu_.clock.context_attention.value * prompt + gpu_.clock.memory_bound.value * (whole - prompt)};
  return fixed(at(achieved(clocks(phase), {&step, 1}), step));
}

}  // namespace

std::unique_ptr<StepCosts> layer_table_costs(hardware::LayerTable table, const hardware::GpuProfile& gpu, const llm::Architecture& model,
                                             int tensor_parallel, const OperatingPoint& point, const EngineConfig& engine) {
  llm::check_tensor_parallel(model, tensor_parallel, Place{});
  return std::make_unique<LayerCosts>(std::move(table), gpu, model, tensor_parallel, point, engine);
}

}  // namespace joulecast::serving
