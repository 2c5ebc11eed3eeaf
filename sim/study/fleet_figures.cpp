#include "study/fleet_figures.hpp"

#include <cmath>
#include <cstddef>

namespace joulecast::study {

namespace {

constexpr double kCarries = 0.05;

std::optional<double> a_second(const std::optional<double>& total, double seconds) { return total ? std::optional(*total / seconds) : std::nullopt; }

}  // namespace

FleetFigures figures_of_fleet(const scenario::Scenario& scenario, const scenario::Result& result, std::optional<Grams> embodied_of_a_gpu,
                              std::optional<Seconds> life) {
  const scenario::Pool& pool = scenario.pools.front();
  const scenario::Cluster& cluster = scenario.clusters[pool.cluster];
  FleetFigures figures;
  figures.nodes = cluster.nodes;
  figures.gpus = cluster.nodes * cluster.node.gpus;
  figures.replicas = pool.replicas;
  const metering::PowerStatistics& it = result.energy.power[static_cast<int>(metering::Boundary::it)];
  const std::pair<double, double> peaks[] = {{900, it.peak_900s}, {60, it.peak_60s}, {1, it.peak_1s}};
  for (const auto& [window, watts] : peaks) {
    figures.peak_window_s = window;
    figures.peak_it_watts = watts;
    if (std::isfinite(watts)) break;
  }
  double tokens = 0;
  for (const scenario::TrafficResult& traffic : result.traffics) tokens += static_cast<double>(traffic.output_tokens);
  for (std::size_t b = 0; b < metering::kBoundaries; ++b) {
    figures.mean_watts[b] = result.energy.joules[b] / result.horizon_s;
    figures.joules_per_output_token[b] = tokens > 0 ? result.energy.joules[b] / tokens : std::nan("");
  }
  figures.output_tokens_per_s = tokens / result.horizon_s;
  if (const auto& cost = result.cost) {
    const double seconds = result.horizon_s;
    figures.cost = CostRate{a_second(cost->energy, seconds), a_second(cost->demand, seconds), a_second(cost->rental, seconds),
                            a_second(cost->capital, seconds), std::nullopt};
    if (cost->rental || cost->capital) {
      figures.cost->total = cost->total / seconds;
      figures.per_million_input = cost->per_million_input;
      figures.per_million_output = cost->per_million_output;
    }
  }
  if (result.carbon_grams) figures.carbon_grams_per_s = *result.carbon_grams / result.horizon_s;
  if (embodied_of_a_gpu) {
    figures.embodied_grams = figures.gpus * embodied_of_a_gpu->si();
    if (life) figures.embodied_grams_per_s = *figures.embodied_grams / life->si();
  }
  figures.energy_coverage = result.energy_coverage;
  figures.time_coverage = result.time_coverage;
  if (result.spread) figures.relative_half_width = result.spread->relative;
  return figures;
}

std::string worst_provenance(const std::map<std::string, double>& coverage) {
  for (const char* worst : {"modelled", "calibrated"}) {
    const auto found = coverage.find(worst);
    if (found != coverage.end() && found->second >= kCarries) return worst;
  }
  return "measured";
}

}  // namespace joulecast::study
