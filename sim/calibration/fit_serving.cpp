#include "calibration/fit_serving.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "base/error.hpp"
#include "fit/least_squares.hpp"

namespace joulecast::calibration {
namespace {

constexpr double kHuber = 1.5;
constexpr int kReweightings = 12;
constexpr double kSeriesRows = 6;
constexpr double kSecondsSigma = 0.08, kMixtureSigma = 0.12, kWattsSigma = 0.06;

/// A figure that is sought: what it is drawn to and how strongly, in the unit of its column.
struct Sought {
  std::string name;
  double centre = 0, spread = 0;
};

/// Linear equations whose right sides are 1 (relative errors).
struct Equations {
  std::vector<std::vector<double>> rows;
  std::vector<double> targets, weights;
};

std::vector<double> robust_solution(const Equations& equations, const std::vector<Sought>& sought, double sigma) {
  std::vector<std::string> names;
  for (const Sought& each : sought) names.push_back(each.name);
  std::vector<double> huber(equations.rows.size(), 1), solution;
  for (int i = 0; i < kReweightings; ++i) {
    fit::Design design(names);
    for (std::size_t r = 0; r < equations.rows.size(); ++r) {
      design.add(equations.rows[r], equations.targets[r], huber[r] * equations.weights[r] / (sigma * sigma));
    }
    for (std::size_t j = 0; j < sought.size(); ++j) {
      std::vector<double> one(sought.size(), 0);
      one[j] = 1;
      design.add(one, sought[j].centre, 1 / (sought[j].spread * sought[j].spread));
    }
    solution = fit::non_negative_least_squares(design, fit::Intercept::none).coefficients;
    for (std::size_t r = 0; r < equations.rows.size(); ++r) {
      double residual = -equations.targets[r];
      for (std::size_t j = 0; j < sought.size(); ++j) residual += equations.rows[r][j] * solution[j];
      huber[r] = std::min(1.0, kHuber * sigma / std::max(std::abs(residual), 1e-12));
    }
  }
  return solution;
}

/// So wide that it only keeps a figure at 0 that no row speaks of.
Sought free_figure(std::string name, double scale) { return {std::move(name), 0, 100 * scale}; }

constexpr double kMilli = 1e-3, kMicro = 1e-6, kNano = 1e-9;

double kernels(const ServingRow& row) { return row.gemm + row.attention + row.collective + row.elementwise; }

double host_seconds(const ServingRow& row, const GpuServingFit& gpu) {
  double host = gpu.step + gpu.sequence * row.sequences + gpu.layer * row.layers;
  if (row.shared_host) host += gpu.root * std::sqrt(row.sequences) + (row.long_outputs ? gpu.long_outputs : 0);
  return host;
}

class SeriesWeights {
 public:
  explicit SeriesWeights(std::span<const ServingRow> rows) {
    for (const ServingRow& row : rows) ++counts_[row.series];
  }
  double of(const ServingRow& row) const { return std::min(1.0, kSeriesRows / static_cast<double>(counts_.at(row.series))); }

 private:
  std::map<std::size_t, int> counts_;
};

void fit_host(std::span<const ServingRow> rows, const SeriesWeights& weights, GpuServingFit& gpu) {
  Equations equations;
  for (const ServingRow& row : rows) {
    if (row.gpu != gpu.gpu || row.mixture()) continue;
    const double t = row.step_seconds, shared = row.shared_host ? 1 : 0;
    equations.rows.push_back({kMilli / t, kMicro * row.sequences / t, kMicro * row.layers / t, shared * kMilli * std::sqrt(row.sequences) / t,
                              (row.long_outputs ? shared : 0) * kMilli / t});
    equations.targets.push_back(1 - kernels(row) / t);
    equations.weights.push_back(weights.of(row));
  }
  const auto x = robust_solution(equations,
                                 {free_figure("host time of a step", 1), free_figure("host time of a sequence", 30),
                                  free_figure("host time of a layer", 10), free_figure("shared host", 1), free_figure("long outputs", 20)},
                                 kSecondsSigma);
  gpu.step = kMilli * x[0];
  gpu.sequence = kMicro * x[1];
  gpu.layer = kMicro * x[2];
  gpu.root = kMilli * x[3];
  gpu.long_outputs = kMilli * x[4];
}

void fit_watts(std::span<const ServingRow> rows, const SeriesWeights& weights, GpuServingFit& gpu) {
  Equations equations;
  double limit = 0;
  for (const ServingRow& row : rows) {
    if (row.gpu != gpu.gpu) continue;
    limit = row.power_limit;
    if (row.mixture()) continue;
    const double host = host_seconds(row, gpu), total = kernels(row) + host, joules = row.watts * total;
    const double gemm = limit * row.gemm / joules;
    equations.rows.push_back({gemm, gemm * std::sqrt(row.gemm_utilisation), limit * row.attention / joules, limit * row.collective / joules,
                              limit * row.elementwise / joules, limit * host / joules});
    equations.targets.push_back(1);
    equations.weights.push_back(weights.of(row));
  }
  // Centres as shares of the limit: about those of H100 SXM fitted without them to dense runs of ml-energy/leaderboard v3 (GEMM 365 + 349*sqrt(u), attention
  // 668, collectives 254, elementwise 367, host 280 of 700 W).
  const auto x = robust_solution(equations,
                                 {{"GEMM watts", 0.52, 0.10},
                                  {"GEMM slope", 0.50, 0.15},
                                  {"attention watts", 0.90, 0.12},
                                  {"collective watts", 0.36, 0.10},
                                  {"elementwise watts", 0.55, 0.15},
                                  {"host watts", 0.36, 0.10}},
                                 kWattsSigma);
  gpu.gemm_base = limit * x[0];
  gpu.gemm_slope = limit * x[1];
  gpu.attention = limit * x[2];
  gpu.collective = limit * x[3];
  gpu.elementwise = limit * x[4];
  gpu.host = limit * x[5];
}

MixtureFit fit_mixture(std::span<const ServingRow> rows, const SeriesWeights& weights, const ServingFit& fit) {
  Equations equations;
  for (const ServingRow& row : rows) {
    if (!row.mixture()) continue;
    const double t = row.step_seconds;
    equations.rows.push_back(
        {kMicro * row.expert_layers / t, (row.top1 ? kMicro : 0) * row.expert_layers / t, kMicro * row.quantized_layers / t, kNano * row.visits / t});
    equations.targets.push_back(1 - (kernels(row) + host_seconds(row, fit.of(row.gpu))) / t);
    equations.weights.push_back(weights.of(row));
  }
  const auto x = robust_solution(equations,
                                 {free_figure("a layer of experts", 30), free_figure("a layer of one expert a token", 150),
                                  free_figure("a layer in fp8", 100), free_figure("a visit", 30)},
                                 kMixtureSigma);
  return {kMicro * x[0], kMicro * x[1], kMicro * x[2], kNano * x[3]};
}

template <class Q>
void put(hardware::Figure<Q>& figure, Q value) {
  figure.value = value;
}

}  // namespace

bool ServingFit::knows(const std::string& gpu) const {
  return std::any_of(gpus.begin(), gpus.end(), [&gpu](const GpuServingFit& each) { return each.gpu == gpu; });
}

const GpuServingFit& ServingFit::of(const std::string& gpu) const {
  for (const GpuServingFit& each : gpus) {
    if (each.gpu == gpu) return each;
  }
  throw UserError({}, "no serving run on " + gpu + " was given", "add runs on it, or choose a GPU that has some");
}

ServingFit fit_serving(std::span<const ServingRow> rows) {
  const SeriesWeights weights(rows);
  ServingFit fit;
  for (const ServingRow& row : rows) {
    const auto same = [&row](const GpuServingFit& gpu) { return gpu.gpu == row.gpu; };
    auto known = std::find_if(fit.gpus.begin(), fit.gpus.end(), same);
    if (known == fit.gpus.end()) {
      fit.gpus.emplace_back().gpu = row.gpu;
      known = fit.gpus.end() - 1;
    }
    known->shared_rows = known->shared_rows || row.shared_host;
  }
  for (GpuServingFit& gpu : fit.gpus) {
    fit_host(rows, weights, gpu);
    fit_watts(rows, weights, gpu);
  }
  fit.mixture = fit_mixture(rows, weights, fit);
  return fit;
}

hardware::GpuProfile with_fit(hardware::GpuProfile gpu, const ServingFit& fit) {
  const GpuServingFit& fitted = fit.of(gpu.name);
  put(gpu.host.step, Seconds(fitted.step));
  put(gpu.host.sequence, Seconds(fitted.sequence));
  put(gpu.host.layer, Seconds(fitted.layer));
  if (fitted.shared_rows) {
    if (!gpu.contention) gpu.contention.emplace();
    put(gpu.contention->root, Seconds(fitted.root));
    put(gpu.contention->long_outputs, Seconds(fitted.long_outputs));
  }
  if (!gpu.mixture) gpu.mixture.emplace();
  put(gpu.mixture->layer, Seconds(fit.mixture.layer));
  put(gpu.mixture->top1_layer, Seconds(fit.mixture.top1_layer));
  put(gpu.mixture->quantized_layer, Seconds(fit.mixture.quantized_layer));
  put(gpu.mixture->visit, Seconds(fit.mixture.visit));
  put(gpu.watts.gemm_base, Watts(fitted.gemm_base));
  put(gpu.watts.gemm_slope, Watts(fitted.gemm_slope));
  put(gpu.watts.attention, Watts(fitted.attention));
  put(gpu.watts.collective, Watts(fitted.collective));
  put(gpu.watts.elementwise, Watts(fitted.elementwise));
  put(gpu.watts.host, Watts(fitted.host));
  return gpu;
}

}  // namespace joulecast::calibration
