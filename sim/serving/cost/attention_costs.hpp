#pragma once

#include <cstdint>
#include <vector>

#include "hardware/gpu.hpp"
#include "hardware/operation_table.hpp"
#include "llm/operations.hpp"
#include "serving/cost/operation_times.hpp"

namespace joulecast::serving {

/// Seconds of attention of all layers on one GPU at the reference clock: from the operation table of these heads; decode else from the table of fewer
/// heads at as many query heads a key head (OperationTables::scaled_generation); else from the profile's form.
///
/// How accurate is the scaled table? Tables of 8, 16 and 24..64 heads predicted from those of half the heads (two key heads or more, contexts from 16
/// tokens): median 1-6 %, nine in ten within 5-13 %, on A100 below 25 us 41 %; the form is 7-39 % there (median).
class AttentionCosts {
 public:
  AttentionCosts(const hardware::GpuProfile& gpu, const llm::AttentionShape& shape, std::int64_t layers, std::int64_t bytes_per_value,
                 const hardware::OperationTables* tables);

  /// `sequences` decoding ones that read a mean of `context` tokens.
  double generation(int sequences, double context) const;
  /// A table of whole prompts has no context: t(C, K) = t(C + K) - t(K).
  double chunks(const JoinedChunks& joined) const;
  /// Contexts, rising, between which generation(sequences, .) is linear.
  std::vector<double> knots(int sequences) const;

  /// The worst of decode's and prompts': measured from tables of these heads, calibrated from scaled ones.
  Provenance provenance() const { return provenance_; }

 private:
  const hardware::GpuProfile* gpu_;
  llm::AttentionShape shape_;
  double layers_;
  double bytes_per_value_;
  hardware::OperationTables::ScaledGeneration generation_;  ///< of exactly these heads at factor 1
  const hardware::OperationTables::ContextAttention* context_ = nullptr;
  Provenance provenance_ = Provenance::modelled;
};

}  // namespace joulecast::serving
