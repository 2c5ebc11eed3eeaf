#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "serving/cost/cost_cache.hpp"
#include "serving/cost/operation_times.hpp"
#include "serving/cost/pool_costs.hpp"

namespace joulecast::serving {

/// Step costs of a pool from the times of its operations at the reference clock: each operation moved to the clock in force, each class at its watts
/// there, rounded to integers once.
/// Data-parallel ranks (layer_table_costs) step together; the joules are those of all their GPUs, each at the slowest rank's watts.
/// The clock is the lock of the phase. Where the step's mean watts a GPU would be above the cap, it goes between two clocks that exist so that they are
/// the cap; where no clock is low enough, it is the lowest. A decode segment ends where one of these begins. GEMM's watts follow the utilisation of the
/// step's GEMMs at the reference clock.
///
/// `residual` is of what was measured of this model at the reference clock: the seconds of every class times one ratio, its watts times the other, at the
/// step's scheduled sequences. Clocks and cap act on what comes out; as far as its points reach, both are calibrated at the reference clock.
class ClockedCosts final : public StepCosts {
 public:
  ClockedCosts(std::shared_ptr<const OperationTimes> times, const hardware::GpuProfile& gpu, const llm::Architecture& model, int tensor_parallel,
               const OperatingPoint& point, const EngineConfig& engine, hardware::ServingResidual residual = {});

  const DecodeSegment& decode(Phase clock, int sequences, const Contexts& contexts) const override;
  StepCost mixed(Phase clock, std::span<const Chunk> chunks, int sequences, const Contexts& contexts) const override;
  FixedEnergy idle_joules_per_nanosecond() const override { return idle_rate_; }
  Provenance time_provenance(Work work) const override;
  Provenance watts_provenance(Work work) const override;
  Span switch_latency() const override { return one_clock_ ? Span{} : switch_latency_; }
  bool one_clock() const override { return one_clock_; }
  bool knows_uneven() const override { return levels_ > 1; }
  std::unique_ptr<StepCosts> at_point(const OperatingPoint& point) const override;

  /// The SM clock that a decode step runs at: the lock, or where the cap acts the lower of the two clocks.
  Hertz decode_clock(Phase clock, int sequences, const Contexts& contexts) const;

 private:
  /// A level of unevenness, as a share of attention's time.
  static constexpr double kUnevenStep = 1.0 / 128;

  /// What the padded tokens alone, or the scheduled sequences alone, cost at one clock; attention is not in it.
  struct Dense {
    std::array<double, kWorks> seconds{};
    double gemm_reference_seconds = 0, gemm_flops = 0;
  };
  /// And what was measured over it.
  struct Scheduled {
    Dense dense;
    hardware::ServingPoint residual;
  };
  /// All costs at one clock.
  struct AtClock {
    AtClock(const ClockedCosts& costs, Hertz at);
    Hertz clock;
    hardware::ClockScaling scaling;
    double generation_factor, context_factor;  ///< of attention's seconds
    std::array<double, kWorks> watts{};        ///< of one GPU; GEMM's depends on the step
    CostCache<Dense> tokens, all_ranks;
    CostCache<Scheduled> sequences;
  };
  /// What a rank does in a step.
  struct RankStep {
    std::int64_t tokens = 0, sequences = 0;
    AttentionSeconds attention;
  };
  struct Parts {
    std::array<double, kWorks> seconds{}, watts{};
    double total_seconds() const;
    double mean_watts() const;
  };
  /// A segment between two knots; in pieces where the cap begins or ends to act in it, or the lowest clock to break it.
  using Pieces = std::vector<DecodeSegment>;
  /// Decode steps of so many sequences: contexts (mean a sequence) between which a segment lies, and the segments.
  struct Row {
    explicit Row(std::vector<std::int64_t> contexts) : knots(std::move(contexts)), segments(knots.size()) {}
    /// The segment of a mean context, and the context where it ends; the last one is worked out up to `longest` and has no end.
    std::size_t segment_at(std::int64_t mean) const;
    std::int64_t end(std::size_t segment, std::int64_t longest) const;
    std::vector<std::int64_t> knots;
    CostCache<CostCache<Pieces>> segments;  ///< from knot i on, by how much longer uneven contexts take
  };

  const std::vector<Hertz>& clocks(Phase phase) const { return clocks_[index(phase)]; }
  std::size_t index(Phase phase) const { return one_clock_ ? 0 : static_cast<std::size_t>(phase); }
  const AtClock& at(Phase phase, std::size_t clock) const;
  std::unique_ptr<const Dense> make_dense(const AtClock& clock, const std::vector<OperationTime>& operations) const;
  const Scheduled& scheduled(const AtClock& clock, std::int64_t sequences_of_a_rank) const;
  Provenance through_points(Provenance predicted) const;
  /// The slowest of the ranks with what all of them do together.
  Parts parts(const AtClock& clock, std::span<const RankStep> ranks) const;
  Parts parts(const AtClock& clock, const RankStep& step) const;
  Parts parts(const AtClock& clock, const RankStep& slowest, std::int64_t padded, std::int64_t all_tokens) const;
  double attention_seconds(const AtClock& clock, const RankStep& step) const {
    return clock.generation_factor * step.attention.generation + clock.context_factor * step.attention.chunks;
  }
  const Dense& dense(const AtClock& clock, std::int64_t padded) const;
  Parts decode_parts(const AtClock& clock, int sequences, double attention) const;
  std::vector<RankStep> rank_steps(std::span<const Chunk> chunks, int sequences, const Contexts& contexts) const;
  RankStep rank_step(std::span<const Chunk> own, int sequences, const Contexts& contexts) const;
  /// Sequences of the fullest rank.
  int of_a_rank(int sequences) const { return (sequences + ranks_ - 1) / ranks_; }
  double generation(int sequences, double context) const { return times_->generation(of_a_rank(sequences), context); }
  /// Position of the clock that keeps the cap; `mean_watts(AtClock)` is what the cap acts on.
  template <class MeanWatts>
  std::size_t achieved(Phase phase, MeanWatts&& mean_watts) const;
  /// A step under the cap; `step_at(AtClock)` is the step at a clock.
  template <class StepAt>
  Parts kept(Phase phase, StepAt&& step_at) const;
  Parts dithered(const Parts& low, const Parts& high) const;
  DecodeSegment capped_segment(std::int64_t from, std::int64_t to, const Parts& first, const Parts& last) const;
  const Row& row(Phase phase, int sequences) const;
  std::unique_ptr<const Row> make_row(Phase phase, int sequences) const;
  /// In 1/128 of attention's time at the mean context, of the sequences' segment [from, to).
  std::size_t uneven_level(int sequences, std::int64_t from, std::int64_t to, const Unevenness& uneven) const;
  /// Attention's seconds of the generating sequences between two contexts, at the reference clock, by their summed context.
  struct Attention {
    std::int64_t from, to;  ///< summed
    double first, grown;    ///< there
    double slope, at_zero;
    double at(std::int64_t sum) const { return sum == from ? first : sum == to ? grown : at_zero + slope * static_cast<double>(sum); }
  };
  Attention attention(int sequences, std::int64_t from, std::int64_t to, std::size_t level) const;
  std::unique_ptr<const Pieces> make_pieces(Phase phase, int sequences, std::int64_t from, std::int64_t to, bool last, std::size_t level) const;
  DecodeSegment free_segment(const AtClock& clock, int sequences, const Attention& attention) const;
  StepCost fixed(const Parts& parts) const;

  std::shared_ptr<const OperationTimes> times_;
  hardware::GpuProfile gpu_;
  llm::Architecture model_;
  EngineConfig engine_;
  hardware::ServingResidual residual_;
  int ranks_, gpus_;
  double speed_factor_;
  std::int64_t longest_, most_sequences_, most_tokens_;  ///< of all ranks
  std::int64_t decode_tokens_;                           ///< that a decoding sequence has in a step: 1, and its drafts
  std::int64_t rank_tokens_;                             ///< max_num_batched_tokens of one rank
  std::size_t levels_;
  bool one_clock_;
  bool shares_;  ///< ranks have work together
  Span switch_latency_;
  double cap_;
  FixedEnergy idle_rate_;
  std::array<Provenance, kWorks> time_provenance_{}, watts_provenance_{};       ///< at the reference clock
  bool locked_;                                                                 ///< away from the reference, or at another speed
  mutable std::atomic<bool> capped_ = false;                                    ///< a cost was lowered by the cap
  mutable std::atomic<bool> beyond_tokens_ = false, beyond_attention_ = false;  ///< a cost was asked for beyond what the times were taken from
  mutable std::atomic<bool> beyond_points_ = false;                             ///< or beyond the reach of what was measured
  std::array<std::vector<Hertz>, 2> clocks_;                                    ///< rising, the phase's lock last
  std::array<std::unique_ptr<CostCache<AtClock>>, 2> at_;
  std::array<std::unique_ptr<CostCache<Row>>, 2> rows_;
};

}  // namespace joulecast::serving
