#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <tuple>
#include <utility>

#include "serving/step_cost.hpp"

namespace joulecast::reference {

/// What synthetic step costs are drawn from.
struct CostShape {
  std::uint64_t seed = 0;
  std::int64_t step_ns = 1'000'000;  ///< about what a step takes; fractions of a nanosecond are drawn below it
  std::int64_t segment = 1 << 20;    ///< context tokens to a DecodeSegment
  bool slopes_may_fall = false;      ///< some segments get cheaper with context
  bool two_clocks = false;
  std::int64_t switch_ns = 0;
};

/// Step costs without any physics: every (clock, sequences, segment, unevenness) and every mixed step has its own random whole numbers, so that a step priced
/// with the wrong members, context or clock shows in the last bit.
class SyntheticCosts final : public serving::StepCosts {
 public:
  explicit SyntheticCosts(CostShape shape) : shape_(shape) {}

  const serving::DecodeSegment& decode(serving::Phase clock, int sequences, const serving::Contexts& contexts) const override;
  serving::StepCost mixed(serving::Phase clock, std::span<const serving::Chunk> chunks, int sequences,
                          const serving::Contexts& contexts) const override;
  FixedEnergy idle_joules_per_nanosecond() const override { return {static_cast<int128>(345) << 24 | 77}; }
  Provenance time_provenance(serving::Work) const override { return Provenance::modelled; }
  Provenance watts_provenance(serving::Work) const override { return Provenance::modelled; }
  Span switch_latency() const override { return {shape_.switch_ns}; }
  bool one_clock() const override { return !shape_.two_clocks; }

 private:
  using Key = std::tuple<int, int, std::int64_t, std::uint64_t>;
  CostShape shape_;
  mutable std::map<Key, std::unique_ptr<serving::DecodeSegment>> segments_;
};

}  // namespace joulecast::reference
