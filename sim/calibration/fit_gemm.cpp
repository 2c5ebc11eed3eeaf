#include "calibration/fit_gemm.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "fit/levenberg_marquardt.hpp"

namespace joulecast::calibration {
namespace {

constexpr std::size_t kMostRows = 4000;
constexpr std::size_t kLeastRows = 20;
constexpr std::size_t kFolds = 5;
constexpr double kSoft = 0.05;

/// FLOP over peak and bytes over bandwidth of a row, in us, with what was measured.
struct Ideal {
  double compute, memory, measured;
};

double form(std::span<const double> p, const Ideal& row) {
  const double compute = row.compute / p[1];
  const double memory = row.memory / p[2];
  const double larger = std::max(compute, memory);
  return p[0] + larger * std::pow(std::pow(compute / larger, p[3]) + std::pow(memory / larger, p[3]), 1 / p[3]);
}

fit::NonlinearFit search(std::span<const Ideal> rows, std::span<const std::size_t> chosen) {
  return fit::levenberg_marquardt(
      {{"launch", 5, 0, 100}, {"compute_efficiency", 0.8, 0.05, 1}, {"memory_efficiency", 0.8, 0.05, 1}, {"sharpness", 2.5, 1, 20}}, chosen.size(),
      [&](std::span<const double> p, std::span<double> residuals) {
        for (std::size_t i = 0; i < chosen.size(); ++i) {
          const Ideal& row = rows[chosen[i]];
          const double r = std::log(form(p, row) / row.measured) / kSoft;
          residuals[i] = std::copysign(kSoft * std::sqrt(2 * (std::sqrt(1 + r * r) - 1)), r);
        }
      });
}

}  // namespace

GemmFit fit_gemm(const std::vector<GemmRow>& rows, FlopsPerSecond peak, BytesPerSecond bandwidth) {
  if (rows.size() < kLeastRows) {
    throw UserError({}, fmt::format("{} GEMM rows are left, too few for four figures and a held-out error", rows.size()),
                    fmt::format("give a table with at least {} usable rows", kLeastRows));
  }
  std::vector<Ideal> ideal;
  const std::size_t stride = (rows.size() + kMostRows - 1) / kMostRows;
  for (std::size_t i = 0; i < rows.size(); i += stride) {
    ideal.push_back({1e6 * rows[i].flops() / peak.si(), 1e6 * rows[i].bytes() / bandwidth.si(), 1e6 * rows[i].seconds});
  }
  std::vector<std::size_t> all(ideal.size());
  std::vector<double> measured;
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i] = i;
    measured.push_back(ideal[i].measured);
  }
  const auto predicted = fit::held_out_predictions(all.size(), kFolds, [&](std::span<const std::size_t> train, std::span<const std::size_t> test) {
    const auto fold = search(ideal, train);
    std::vector<double> result;
    for (const std::size_t row : test) result.push_back(form(fold.parameters, ideal[row]));
    return result;
  });
  const auto found = search(ideal, all);
  GemmFit fit;
  fit.launch = found.parameters[0] * 1e-6;
  fit.compute_efficiency = found.parameters[1];
  fit.memory_efficiency = found.parameters[2];
  fit.sharpness = found.parameters[3];
  fit.covariance = found.covariance;
  fit.held_out = fit::relative_errors(predicted, measured);
  fit.rows = ideal.size();
  return fit;
}

}  // namespace joulecast::calibration
