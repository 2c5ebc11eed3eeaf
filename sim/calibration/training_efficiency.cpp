#include "calibration/training_efficiency.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "fit/levenberg_marquardt.hpp"

namespace joulecast::calibration {

namespace {

using hardware::FittedEfficiency;

/// What an iteration may differ by without a reason, relative: the mean error of the published model of such runs (vTrain, MICRO 2024: 14.7 %).
constexpr double kScatter = 0.15;
constexpr double kConfidence = 0.8;
constexpr std::size_t kFigures = 4;

/// One of the figures as a fit sees it: the logarithm of its ratio to the prior.
struct Unknown {
  const char* name;
  double prior, width;
  double most;  ///< of the figure itself
};

std::vector<Unknown> unknowns(const FittedEfficiency& prior) {
  const auto width = [](const auto& figure) {
    JOULECAST_CHECK(figure.error.has_value() && *figure.error > 0, "a prior without a width");
    return *figure.error;
  };
  return {{"gemm_derate", prior.gemm_derate.value, width(prior.gemm_derate), 1.5},
          {"elementwise", prior.elementwise.value, width(prior.elementwise), 1},
          {"nic", prior.nic.value, width(prior.nic), 1},
          {"host_layer_pass", prior.host_layer_pass.value.si(), width(prior.host_layer_pass), 1}};
}

FittedEfficiency at(FittedEfficiency efficiency, std::span<const double> logarithms) {
  const auto factor = [&](std::size_t i) { return i < logarithms.size() ? std::exp(logarithms[i]) : 1; };
  efficiency.gemm_derate.value *= factor(0);
  efficiency.elementwise.value *= factor(1);
  efficiency.nic.value *= factor(2);
  efficiency.host_layer_pass.value = factor(3) * efficiency.host_layer_pass.value;
  return efficiency;
}

double soft(double residual) { return std::copysign(std::sqrt(2 * (std::sqrt(1 + residual * residual) - 1)), residual); }

}  // namespace

TrainingEfficiencyFit fit_training_efficiency(const FittedEfficiency& prior, const std::vector<TimedIteration>& iterations,
                                              bool hold_all_but_derate) {
  const auto known = unknowns(prior);
  const std::size_t figures = hold_all_but_derate ? 1 : kFigures;
  std::vector<fit::Parameter> parameters;
  for (std::size_t i = 0; i < figures; ++i) parameters.push_back({known[i].name, 0, -3, std::log(known[i].most / known[i].prior)});

  const std::size_t priors = hold_all_but_derate ? 0 : figures;
  const auto residuals = [&](std::span<const double> logarithms, std::span<double> out) {
    const auto efficiency = at(prior, logarithms);
    for (std::size_t i = 0; i < iterations.size(); ++i) {
      const double scattered = std::log(iterations[i].modelled(efficiency) / iterations[i].measured) / kScatter;
      out[i] = hold_all_but_derate ? scattered : soft(scattered);
    }
    for (std::size_t i = 0; i < priors; ++i) out[iterations.size() + i] = logarithms[i] / known[i].width;
  };
  const auto fitted = fit::levenberg_marquardt(parameters, iterations.size() + priors, residuals, {100, 1e-10});

  TrainingEfficiencyFit result;
  result.fitted = at(prior, fitted.parameters);
  for (const auto& each : iterations) result.relative_error.push_back(each.modelled(result.fitted) / each.measured - 1);
  for (std::size_t i = 0; i < figures; ++i) {
    const auto interval = fitted.covariance.interval(i, 0, kConfidence);
    result.half_width.push_back((interval.high - interval.low) / 2);
  }
  return result;
}

}  // namespace joulecast::calibration
