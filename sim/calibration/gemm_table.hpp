#pragma once

#include <cstdint>
#include <vector>

#include "calibration/table_source.hpp"

namespace joulecast::calibration {

/// C[m, n] = A[m, k] B[k, n] in 2-byte elements, and how long it took.
struct GemmRow {
  std::int64_t m = 0, n = 0, k = 0;
  double seconds = 0;

  double flops() const;
  double bytes() const;  ///< of A, B and C
  friend bool operator==(const GemmRow&, const GemmRow&) = default;
};

/// Which GEMMs a fit looks at. Below `least_seconds` a launch is most of the time; the shapes are those that a forward pass of a model has.
struct GemmShapes {
  double least_seconds = 30e-6;
  std::int64_t most_m = 8192;
  std::int64_t least_width = 1024, most_width = 32768;  ///< n and k
};

/// Rows of a GEMM table, sorted by (m, n, k, seconds), each once, and what was dropped. Two formats, told apart by their headers:
/// - ai-dynamo/aiconfigurator: gemm_dtype (bfloat16 and float16 are used), m, n, k, latency in ms;
/// - microsoft/vidur mlp.csv: medians in ms of attn_pre_proj, attn_post_proj, mlp_up_proj and mlp_down_proj with the model's widths, num_tokens
///   and num_tensor_parallel_workers.
/// Throws UserError with line and column for a cell that is no number, or a header of neither.
std::vector<GemmRow> read_gemm_table(const std::string& path, const GemmShapes& shapes, TableSource& source);

}  // namespace joulecast::calibration
