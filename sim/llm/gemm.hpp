#pragma once

#include <cstdint>

namespace joulecast::llm {

/// C[m,n] = A[m,k] B[k,n] on one GPU; m are tokens. With `groups` matrices B (experts, or heads of an absorbed projection) each row meets one of
/// them, m counts the rows of all.
struct Gemm {
  std::int64_t m = 0, n = 0, k = 0;
  double weight_bytes = 2;  ///< a value of B
  double groups = 1;        ///< matrices B that are read, as an expectation

  double flops() const { return 2.0 * static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k); }
  /// A, each B and C once; A and C of `bytes_per_value` a value.
  double bytes(std::int64_t bytes_per_value) const {
    return static_cast<double>(bytes_per_value) * static_cast<double>(m * k + m * n) + weight_bytes * groups * static_cast<double>(k * n);
  }
};

/// A GEMM that a step does `times` times, once in each layer that has it.
struct RepeatedGemm {
  Gemm gemm;
  std::int64_t times = 0;
  bool experts = false;  ///< routed experts: the GPUs that hold them wait for each other
};

/// Matrices of `count` experts that `tokens` tokens reach, each token choosing `per_token` of them evenly and alone: count * (1 - (1 - per_token /
/// count)^tokens). Real routers are less even, and then reach fewer.
double distinct_experts(std::int64_t count, std::int64_t per_token, std::int64_t tokens);

/// Where each of `ranks` GPUs holds `count / ranks` whole experts: matrices that the fullest rank is expected to read over those of the mean rank, 1 or
/// more. An expert is reached with probability q = distinct/count, nearly independently, so a rank reaches n*q of its n with variance n*q*(1-q); the
/// fullest of r lies about z(r) deviations above, z the mean of the largest of r standard normal draws (0.564, 1.029, 1.424 for 2, 4, 8). The other
/// ranks wait for it.
double fullest_rank_over_mean(std::int64_t count, std::int64_t per_token, std::int64_t tokens, std::int64_t ranks);

}  // namespace joulecast::llm
