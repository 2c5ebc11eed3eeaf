#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "hardware/gpu.hpp"

namespace joulecast::calibration {

/// A batch that was measured in steady state, and what its mean step takes by the GPU's operation forms and tables alone: no host, no mixture costs.
struct ServingRow {
  std::string gpu;                                                  ///< profile's name: its rows share host costs and class watts
  std::size_t series = 0;                                           ///< rows of one series differ in the batch alone
  double step_seconds = 0, watts = 0;                               ///< measured: a mean step, the mean of a GPU
  double gemm = 0, attention = 0, collective = 0, elementwise = 0;  ///< seconds of the classes, modelled
  double gemm_utilisation = 0;                                      ///< FLOP/(gemm seconds * peak)
  double sequences = 0, layers = 0;                                 ///< of a mean step
  bool shared_host = false, long_outputs = false;                   ///< see hardware::HostContention
  double expert_layers = 0, quantized_layers = 0;                   ///< 0 for a dense model
  double visits = 0;                                                ///< of tokens to experts in a step, over all layers
  bool top1 = false;
  double power_limit = 0;  ///< W, of the board

  bool mixture() const { return expert_layers > 0; }
};

/// Figures of one GPU in SI units, as in hardware::HostCost, HostContention and ClassWatts.
struct GpuServingFit {
  std::string gpu;
  double step = 0, sequence = 0, layer = 0;
  double root = 0, long_outputs = 0;
  bool shared_rows = false;  ///< whether any row ran on a shared host
  double gemm_base = 0, gemm_slope = 0, attention = 0, collective = 0, elementwise = 0, host = 0;
};

/// As in hardware::MixtureCost, seconds.
struct MixtureFit {
  double layer = 0, top1_layer = 0, quantized_layer = 0, visit = 0;
};

struct ServingFit {
  std::vector<GpuServingFit> gpus;  ///< in the order in which rows name them
  MixtureFit mixture;

  bool knows(const std::string& gpu) const;
  /// Throws UserError for a GPU that no row names.
  const GpuServingFit& of(const std::string& gpu) const;
};

/// Fits what operation tables cannot say to serving runs: the host's time, the watts of classes, and what layers of experts take beside their GEMMs.
///
///   1. Host time of each GPU on its dense rows: step_seconds = classes + step + sequence*S + layer*L [+ root*sqrt(S) + long_outputs].
///   2. Class watts of each GPU on the same rows: watts*seconds = sum of class watts x class seconds, GEMM's being base + slope*sqrt(u).
///   3. Mixture costs on the rows with experts of all GPUs together, the above held: routing kernels are bound by latency, not by a GPU's bandwidth.
///
/// All least squares of relative errors without negative figures, Huber's weights (1.5 sigma; sigma 8 % of seconds, 12 % for mixtures, 6 % of watts) so
/// that one odd run does not bend the rest, a series of more than six rows weighing as much as six. Times have no prior. Watts of classes that always go
/// together are not told apart by such rows, so each is drawn to a share of the power limit (GEMM 0.52 + 0.50 sqrt(u), attention 0.90, collectives 0.36,
/// elementwise 0.55, host 0.36, each +- 0.10 to 0.15): what boards of 350-1200 W have in common.
///
/// How accurate is this? `joulecast validate --only serving.mlenergy` fits without a model and predicts it.
ServingFit fit_serving(std::span<const ServingRow> rows);

/// The profile with the fit's figures in place of its own. Throws as ServingFit::of does.
hardware::GpuProfile with_fit(hardware::GpuProfile gpu, const ServingFit& fit);

}  // namespace joulecast::calibration
