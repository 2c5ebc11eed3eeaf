#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "hardware/gpu.hpp"
#include "hardware/operation_table.hpp"
#include "llm/operations.hpp"
#include "serving/step_cost.hpp"

namespace joulecast::serving {

/// Prompt chunks of a step as one: C tokens after K tokens of context, `K = max(0, sum c*(k + c/2)/C - C/2)`.
struct JoinedChunks {
  double tokens = 0, context = 0;
};
JoinedChunks join(std::span<const Chunk> chunks);

/// Seconds of attention of all layers on one GPU at the reference clock: from the operation table of these heads, else from the profile's form.
class AttentionCosts {
 public:
  AttentionCosts(const hardware::GpuProfile& gpu, const llm::AttentionShape& shape, std::int64_t layers, std::int64_t bytes_per_value,
                 const hardware::OperationTables* tables);

  /// `sequences` decoding ones that read a mean of `context` tokens.
  double generation(int sequences, double context) const;
  /// A table of whole prompts has no context: t(C, K) = t(C + K) - t(K).
  double chunks(const JoinedChunks& joined) const;
  /// Whole contexts from 1 up between which generation(sequences, .) is linear; the last is at most `longest`.
  std::vector<std::int64_t> knots(int sequences, std::int64_t longest) const;

  Provenance provenance() const { return provenance_; }

 private:
  const hardware::GpuProfile* gpu_;
  llm::AttentionShape shape_;
  double layers_;
  double bytes_per_value_;
  const hardware::OperationTables::GenerationAttention* generation_ = nullptr;
  const hardware::OperationTables::ContextAttention* context_ = nullptr;
  Provenance provenance_ = Provenance::modelled;
};

}  // namespace joulecast::serving
