#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "hardware/forms.hpp"
#include "hardware/operation_table.hpp"
#include "hardware/uneven_contexts.hpp"
#include "serving/step_cost.hpp"

namespace joulecast::serving {

/// Prompt chunks of a step as one: C tokens after K tokens of context, `K = max(0, sum c*(k + c/2)/C - C/2)`.
struct JoinedChunks {
  double tokens = 0, context = 0;
};
JoinedChunks join(std::span<const Chunk> chunks);

/// Work that one GPU does `times` over in a step, each taking `timing` at the reference clock; flops (of each) count for GEMMs.
struct OperationTime {
  Work work = Work::host;
  hardware::Timing timing;
  double times = 1;
  double flops = 0;
};

/// Seconds of attention of all layers on one GPU at the reference clock: of decoding sequences and of prompt chunks.
struct AttentionSeconds {
  double generation = 0, chunks = 0;
};

/// How long the work of one model takes on one GPU at the reference clock: what implementations of step costs differ in. Const and safe to ask from
/// several threads.
class OperationTimes {
 public:
  virtual ~OperationTimes() = default;

  /// All but attention: what the step's tokens (padded to the CUDA graph) bring, and what its scheduled sequences bring.
  virtual std::vector<OperationTime> of_tokens(std::int64_t padded) const = 0;
  virtual std::vector<OperationTime> of_sequences(std::int64_t scheduled) const = 0;
  /// What the (padded) tokens of all data-parallel ranks bring to each of their GPUs: the experts, and the collectives among the ranks.
  virtual std::vector<OperationTime> of_all_ranks(std::int64_t) const { return {}; }

  /// Attention of a pure decode step of `sequences` >= 1 that read a mean of `context` tokens, seconds.
  virtual double generation(int sequences, double context) const = 0;
  /// Contexts, rising, between which generation(sequences, .) is linear.
  virtual std::vector<double> knots(int sequences) const = 0;
  /// Attention of a step with prompt chunks and `sequences` >= 0 decoding ones of these contexts.
  virtual AttentionSeconds mixed(const JoinedChunks& joined, int sequences, const hardware::ContextSpread& contexts) const = 0;
  /// The share by which uneven contexts make `generation` longer than at their mean.
  virtual double uneven_share(int, const hardware::ContextSpread&) const { return 0; }
  /// Whether uneven_share is ever above 0.
  virtual bool knows_uneven() const { return false; }

  virtual Provenance provenance(Work work) const = 0;
  /// Whether what is asked lies within what the times were taken from: dense work of so many tokens of a rank and of all; decode attention; a chunk's.
  virtual bool covers_tokens(std::int64_t, std::int64_t) const { return true; }
  virtual bool covers_decode(int, double) const { return true; }
  virtual bool covers_chunk(const JoinedChunks&) const { return true; }
};

/// The operation tables that the profile names; null where it names none. Throws as OperationTables::read does.
std::unique_ptr<const hardware::OperationTables> operation_tables(const hardware::GpuProfile& gpu);

/// The worst provenance of figures.
template <class... Figures>
Provenance worst_of(const Figures&... figures) {
  Provenance result = Provenance::measured;
  ((result = worst(result, hardware::provenance(figures.kind))), ...);
  return result;
}

}  // namespace joulecast::serving
