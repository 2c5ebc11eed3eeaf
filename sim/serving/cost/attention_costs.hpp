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
/// - Heads of another size than the tables' 128 read the table at context * head_dim / 128: as many bytes.
/// - A layer with a window of w tokens reads min(context, w) of the mean context: the knot at w keeps decode piecewise linear. Its prompts take the
/// share of
///   the full layer's time that the tokens seen have.
/// - Latent attention has no table: decode takes the longer of reading the latents once and of all heads' products with them.
///
/// How accurate is this? Tables of 8, 16 and 24..64 heads predicted from those of half the heads (two key heads or more, contexts from 16
/// tokens): median 1-6 %, nine in ten within 5-13 %, on A100 below 25 us 41 %; the form is 7-39 % there (median). Head sizes 64, 192 and 256 from
/// tables of 128 on H100 (vLLM 0.24, ai-dynamo/aiconfigurator): decode 1-8 %, nine in ten within 7-18 %; prompts longer than 0.1 ms 24 % too fast
/// (64), 11 and 16 % too slow (192, 256). Windows of 1024 and 8192 in decode: 3-13 % too fast; of 128: 5-12 %, with heads of 64 30-39 %, as the
/// kernel reads whole tiles. Windowed prompts: 5 % too fast with 8192, half with 1024, a fifth of what is measured with 128; they are small beside
/// the full layers'. Latent attention was not compared with a measurement.
class AttentionCosts {
 public:
  /// `step` gives the shape and the layers; `tables` may be null. Both profile and tables must outlive this.
  AttentionCosts(const hardware::GpuProfile& gpu, const llm::StepOperations& step, std::int64_t bytes_per_value,
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
  double layer_generation(int sequences, double context) const;
  double layer_chunks(const JoinedChunks& joined) const;

  const hardware::GpuProfile* gpu_;
  llm::AttentionShape shape_;
  double full_layers_, local_layers_;
  std::int64_t window_;
  double bytes_per_value_;
  double context_scale_ = 1;                                ///< head_dim over the tables'
  hardware::OperationTables::ScaledGeneration generation_;  ///< of exactly these heads at factor 1
  const hardware::OperationTables::ContextAttention* context_ = nullptr;
  Provenance provenance_ = Provenance::modelled;
};

}  // namespace joulecast::serving
