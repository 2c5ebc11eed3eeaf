#include "study/figures.hpp"

#include <cmath>
#include <optional>

#include "study/better_name.hpp"

namespace joulecast::study {

namespace {

using Better = Figure::Better;

class Figures {
 public:
  void add(std::string key, std::string unit, Better better, double value) {
    if (std::isfinite(value)) values.push_back({{std::move(key), std::move(unit), better}, value});
  }
  void add(std::string key, std::string unit, Better better, const std::optional<double>& value) {
    if (value) add(std::move(key), std::move(unit), better, *value);
  }
  void add(const std::string& key, const scenario::Distribution& seconds) {
    add(key + ".mean", "s", Better::lower, seconds.mean);
    add(key + ".p50", "s", Better::lower, seconds.p50);
    add(key + ".p90", "s", Better::lower, seconds.p90);
    add(key + ".p99", "s", Better::lower, seconds.p99);
  }

  std::vector<FigureValue> values;
};

void add_energy(Figures& figures, const scenario::Result& result, metering::Boundary boundary) {
  const auto b = static_cast<std::size_t>(boundary);
  const std::string at(metering::name(boundary));
  const double joules = result.energy.joules[b];
  double tokens = 0, requests = 0;
  for (const auto& traffic : result.traffics) {
    tokens += static_cast<double>(traffic.output_tokens);
    requests += static_cast<double>(traffic.completed);
  }
  if (tokens > 0) figures.add("energy_per_output_token_joules." + at, "J", Better::lower, joules / tokens);
  if (requests > 0) figures.add("energy_per_request_joules." + at, "J", Better::lower, joules / requests);
  figures.add("energy_joules." + at, "J", Better::lower, joules);
  figures.add("power_watts." + at + ".mean", "W", Better::lower, result.energy.power[b].mean);
  figures.add("power_watts." + at + ".peak_60s", "W", Better::lower, result.energy.power[b].peak_60s);
}

void add_traffic(Figures& figures, const scenario::TrafficResult& traffic) {
  const std::string key = "traffic." + traffic.name + ".";
  figures.add(key + "slo_attainment", "1", Better::higher, traffic.slo_attainment);
  figures.add(key + "accuracy", "1", Better::higher, traffic.accuracy);
  figures.add(key + "ttft_s", traffic.ttft_s);
  figures.add(key + "tpot_s", traffic.tpot_s);
  figures.add(key + "e2e_s", traffic.e2e_s);
  figures.add(key + "output_tokens_per_s", "1/s", Better::higher, traffic.output_tokens_per_s);
  figures.add(key + "completed", "1", Better::higher, static_cast<double>(traffic.completed));
  figures.add(key + "unfinished", "1", Better::lower, static_cast<double>(traffic.unfinished));
}

}  // namespace

std::string_view name(Figure::Better better) {
  constexpr std::string_view names[] = {"lower", "higher", "neither"};
  return names[static_cast<int>(better)];
}

std::vector<FigureValue> figures_of(const scenario::Result& result, metering::Boundary boundary) {
  Figures figures;
  add_energy(figures, result, boundary);
  if (result.cost) {
    figures.add("cost.total", result.cost->currency, Better::lower, result.cost->total);
    figures.add("cost.per_million.output", result.cost->currency, Better::lower, result.cost->per_million_output);
  }
  figures.add("carbon_grams", "g", Better::lower, result.carbon_grams);
  for (const auto& traffic : result.traffics) add_traffic(figures, traffic);
  for (const auto& job : result.jobs) {
    const std::string key = "training." + job.name + ".";
    figures.add(key + "iterations", "1", Better::higher, static_cast<double>(job.iterations));
    if (job.iterations == 0) continue;
    figures.add(key + "iteration_s", "s", Better::lower, job.iteration_s);
    figures.add(key + "iteration_joules", "J", Better::lower, job.iteration_joules);
    figures.add(key + "tokens_per_s", "1/s", Better::higher, job.tokens_per_s);
  }
  return std::move(figures.values);
}

}  // namespace joulecast::study
