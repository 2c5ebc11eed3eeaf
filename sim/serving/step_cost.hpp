#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>

#include "base/fixed.hpp"
#include "base/provenance.hpp"
#include "serving/contexts.hpp"

namespace joulecast::serving {

/// Kinds of work in a step; the ledger's classes have the same numbers.
enum class Work : std::uint8_t { gemm, attention, collective, elementwise, host };
inline constexpr int kWorks = 5;
constexpr std::string_view name(Work work) {
  constexpr std::string_view names[] = {"gemm", "attention", "collective", "elementwise", "host"};
  return names[static_cast<int>(work)];
}

/// The clock that a step runs at: a mixed step at prefill's, a pure decode step at decode's (after the switch latency).
enum class Phase : std::uint8_t { prefill, decode };

/// One prompt chunk in a step: its tokens and the context that stands before it in KV.
struct Chunk {
  std::int64_t tokens = 0;
  std::int64_t context = 0;
};

/// What a step costs a whole replica (joules of all its GPUs). Attention is the only class that grows with context.
struct StepCost {
  std::array<FixedTime, kWorks> seconds{};
  std::array<FixedEnergy, kWorks> joules{};

  FixedTime total_seconds() const;
  FixedEnergy total_joules() const;
};

/// The cost of a pure decode step of so many sequences: `base` + `per_context` * (summed context), exact and valid while the summed context
/// lies in [context_from, context_to) and is shared as unevenly. Segments are a property of (sequences, contexts) alone, never of where a stretch
/// began.
struct DecodeSegment {
  StepCost base;
  FixedTime attention_seconds_per_context;
  FixedEnergy attention_joules_per_context;
  FixedTime base_seconds;  ///< base.total_seconds(), kept
  FixedEnergy base_joules;
  std::int64_t context_from = 0, context_to = 0;
};

struct OperatingPoint;

/// What steps of one pool cost at its clocks and cap: the answer of hardware and model to serving's question. Safe to ask from several threads.
class StepCosts {
 public:
  virtual ~StepCosts() = default;
  /// `sequences` >= 1; `contexts` are the tokens that attention reads (those in KV once the step's are written).
  virtual const DecodeSegment& decode(Phase clock, int sequences, const Contexts& contexts) const = 0;
  /// A step with prompt chunks (at least one) and `sequences` >= 0 decoding ones; lm_head and sampler work on all scheduled sequences, chunks' included.
  virtual StepCost mixed(Phase clock, std::span<const Chunk> chunks, int sequences, const Contexts& contexts) const = 0;
  /// Joules of the whole replica in one second of context idle, as an integer rate a nanosecond: joules = rate * ns.
  virtual FixedEnergy idle_joules_per_nanosecond() const = 0;
  /// Of what has been asked so far: a cap that never acted leaves no trace.
  virtual Provenance time_provenance(Work work) const = 0;
  virtual Provenance watts_provenance(Work work) const = 0;
  /// How long a change between the two phases' clocks takes to act; 0 with one clock.
  virtual Span switch_latency() const = 0;
  virtual bool one_clock() const = 0;
  /// False where costs are the same however unevenly sequences share their context: nobody needs to know it then.
  virtual bool knows_uneven() const { return true; }
  /// The same model on the same GPUs at another point. A Bug where the costs know no other.
  virtual std::unique_ptr<StepCosts> at_point(const OperatingPoint& point) const;
};

}  // namespace joulecast::serving
