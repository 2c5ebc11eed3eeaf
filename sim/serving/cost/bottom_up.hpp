#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "hardware/forms.hpp"
#include "hardware/operation_table.hpp"
#include "serving/cost/attention_costs.hpp"
#include "serving/cost/cost_cache.hpp"
#include "serving/cost/pool_costs.hpp"

namespace joulecast::serving {

/// Step costs added up from operations:
///   step = L*(qkv, o, gate_up, down)(T) + lm_head(S) + L*attention + elementwise bytes/bandwidth + (2L + 1) all-reduces(T) + host(S),
/// T = scheduled tokens padded to the CUDA graph, S = scheduled sequences; each class at its watts; times and watts moved to the clock in force.
/// The clock is the lock of the phase, or the highest clock that exists below it at which the step's mean watts a GPU keep the cap (for a
/// decode segment: at both its ends); where none does, the lowest clock.
class BottomUpCosts : public StepCosts {
 public:
  BottomUpCosts(hardware::GpuProfile gpu, llm::Architecture model, int tensor_parallel, const OperatingPoint& point, const EngineConfig& engine);

  const DecodeSegment& decode(Phase clock, int sequences, std::int64_t context) const override;
  StepCost mixed(Phase clock, std::span<const Chunk> chunks, int sequences, std::int64_t context) const override;
  FixedEnergy idle_joules_per_nanosecond() const override { return idle_rate_; }
  Provenance time_provenance(Work work) const override { return time_provenance_[static_cast<std::size_t>(work)]; }
  Provenance watts_provenance(Work work) const override { return watts_provenance_[static_cast<std::size_t>(work)]; }
  Span switch_latency() const override { return one_clock_ ? Span{} : switch_latency_; }
  bool one_clock() const override { return one_clock_; }

  /// The SM clock that a decode step runs at: the lock, or below it where the cap acts.
  Hertz decode_clock(Phase clock, int sequences, std::int64_t context) const;

 private:
  /// What depends on the padded tokens alone, and on the scheduled sequences alone, at one clock.
  struct Dense {
    double gemm_seconds = 0, gemm_reference_seconds = 0, gemm_flops = 0, elementwise_seconds = 0, collective_seconds = 0;
  };
  /// All costs at one clock.
  struct AtClock {
    AtClock(const BottomUpCosts& costs, Hertz at);
    Hertz clock;
    hardware::ClockScaling scaling;
    double generation_factor, context_factor;  ///< of attention's seconds
    std::array<double, kWorks> watts{};        ///< of one GPU; GEMM's depends on the step
    CostCache<Dense> tokens, sampled;
  };
  struct Parts {
    std::array<double, kWorks> seconds{}, watts{};
    double mean_watts() const;
  };
  /// Decode steps of so many sequences: contexts (mean a sequence) between which a segment lies, and the segments.
  struct Row {
    explicit Row(std::vector<std::int64_t> contexts) : knots(std::move(contexts)), segments(knots.size()) {}
    std::vector<std::int64_t> knots;
    CostCache<DecodeSegment> segments;  ///< from knot i on
  };

  const std::vector<Hertz>& clocks(Phase phase) const { return clocks_[index(phase)]; }
  std::size_t index(Phase phase) const { return one_clock_ ? 0 : static_cast<std::size_t>(phase); }
  const AtClock& at(Phase phase, std::size_t clock) const;
  std::unique_ptr<const Dense> make_tokens(const AtClock& clock, std::int64_t tokens) const;
  std::unique_ptr<const Dense> make_sampled(const AtClock& clock, std::int64_t sampled) const;
  double all_reduce(std::int64_t tokens, double bytes) const;
  /// Attention's seconds are at the reference clock.
  Parts parts(const AtClock& clock, std::int64_t tokens, std::int64_t sampled, double generation, double context) const;
  /// Position of the clock that keeps the cap; `mean_watts(AtClock)` is what the cap acts on.
  template <class MeanWatts>
  std::size_t achieved(Phase phase, MeanWatts&& mean_watts) const;
  const Row& row(Phase phase, int sequences) const;
  std::unique_ptr<const Row> make_row(Phase phase, int sequences) const;
  std::size_t segment_clock(Phase phase, int sequences, std::int64_t from, std::int64_t to) const;
  std::unique_ptr<const DecodeSegment> make_segment(Phase phase, int sequences, std::int64_t from, std::int64_t to, bool last) const;
  StepCost fixed(const Parts& parts) const;

  hardware::GpuProfile gpu_;
  llm::Architecture model_;
  int tensor_parallel_;
  OperatingPoint point_;
  std::int64_t longest_, most_sequences_, most_tokens_;
  bool one_clock_;
  Span switch_latency_;
  double cap_;
  FixedEnergy idle_rate_;
  std::unique_ptr<const hardware::OperationTables> tables_;
  const hardware::OperationTables::AllReduce* all_reduce_table_ = nullptr;
  const hardware::AllReduceForm* all_reduce_form_ = nullptr;
  AttentionCosts attention_;
  std::array<Provenance, kWorks> time_provenance_{}, watts_provenance_{};
  std::array<std::vector<Hertz>, 2> clocks_;  ///< rising, the phase's lock last
  std::array<std::unique_ptr<CostCache<AtClock>>, 2> at_;
  std::array<std::unique_ptr<CostCache<Row>>, 2> rows_;
};

}  // namespace joulecast::serving
