#include "study/headline_figures.hpp"

#include <cmath>
#include <optional>
#include <utility>

namespace joulecast::study {

namespace {

using metering::Boundary;
using metering::kBoundaries;
using metering::PowerStatistics;
using Path = std::vector<std::string>;

class Figures {
 public:
  void add(Path path, std::string unit, double value) {
    if (std::isfinite(value)) values.push_back({{std::move(path), std::move(unit)}, value});
  }
  void add(Path path, std::string unit, const std::optional<double>& value) {
    if (value) add(std::move(path), std::move(unit), *value);
  }
  void add(const Path& path, const scenario::Distribution& seconds) {
    const std::pair<const char*, double> parts[] = {{"mean", seconds.mean}, {"p50", seconds.p50}, {"p90", seconds.p90}, {"p99", seconds.p99}};
    for (const auto& [name, value] : parts) {
      Path whole = path;
      whole.emplace_back(name);
      add(std::move(whole), "s", value);
    }
  }

  std::vector<HeadlineValue> values;
};

void add_energy(Figures& figures, const scenario::Result& result) {
  double tokens = 0, requests = 0;
  for (const auto& traffic : result.traffics) {
    tokens += static_cast<double>(traffic.output_tokens);
    requests += static_cast<double>(traffic.completed);
  }
  const auto each = [&](auto&& add) {
    for (std::size_t b = 0; b < kBoundaries; ++b) add(std::string(metering::name(static_cast<Boundary>(b))), b);
  };
  const auto& joules = result.energy.joules;
  each([&](const std::string& at, std::size_t b) { figures.add({"energy_joules", at}, "J", joules[b]); });
  const std::pair<const char*, double PowerStatistics::*> power[] = {
      {"mean", &PowerStatistics::mean},       {"p50", &PowerStatistics::p50},           {"p99_60s", &PowerStatistics::p99_60s},
      {"peak_1s", &PowerStatistics::peak_1s}, {"peak_60s", &PowerStatistics::peak_60s}, {"peak_900s", &PowerStatistics::peak_900s}};
  each([&](const std::string& at, std::size_t b) {
    for (const auto& [name, value] : power) figures.add({"power_watts", at, name}, "W", result.energy.power[b].*value);
  });
  if (tokens > 0) each([&](const std::string& at, std::size_t b) { figures.add({"energy_per_output_token_joules", at}, "J", joules[b] / tokens); });
  if (requests > 0) each([&](const std::string& at, std::size_t b) { figures.add({"energy_per_request_joules", at}, "J", joules[b] / requests); });
}

void add_traffic(Figures& figures, const scenario::TrafficResult& traffic) {
  const auto path = [&](const char* name) { return Path{"traffic", traffic.name, name}; };
  figures.add(path("completed"), "1", static_cast<double>(traffic.completed));
  figures.add(path("output_tokens_per_s"), "1/s", traffic.output_tokens_per_s);
  figures.add(path("slo_attainment"), "1", traffic.slo_attainment);
  figures.add(path("ttft_s"), traffic.ttft_s);
  figures.add(path("tpot_s"), traffic.tpot_s);
  figures.add(path("itl_s"), traffic.itl_s);
  figures.add(path("e2e_s"), traffic.e2e_s);
}

void add_job(Figures& figures, const scenario::TrainingResult& job) {
  if (job.iterations == 0) return;
  const auto path = [&](const char* name) { return Path{"training", job.name, name}; };
  figures.add(path("iteration_s"), "s", job.iteration_s);
  figures.add(path("iteration_joules"), "J", job.iteration_joules);
  figures.add(path("tokens_per_s"), "1/s", job.tokens_per_s);
}

}  // namespace

std::string HeadlineFigure::key() const {
  std::string text;
  for (const std::string& part : path) text += (text.empty() ? "" : ".") + part;
  return text;
}

std::vector<HeadlineValue> headline_figures(const scenario::Result& result) {
  Figures figures;
  add_energy(figures, result);
  if (const auto& cost = result.cost) {
    figures.add({"cost", "energy"}, cost->currency, cost->energy);
    figures.add({"cost", "demand"}, cost->currency, cost->demand);
    figures.add({"cost", "total"}, cost->currency, cost->total);
    figures.add({"cost", "per_million", "input"}, cost->currency, cost->per_million_input);
    figures.add({"cost", "per_million", "output"}, cost->currency, cost->per_million_output);
  }
  figures.add({"carbon_grams"}, "g", result.carbon_grams);
  for (const auto& feed : result.feeds) {
    figures.add({"feed", feed.name, "mean_watts"}, "W", feed.load.mean);
    figures.add({"feed", feed.name, "peak_900s_watts"}, "W", feed.load.peak_900s);
  }
  for (const auto& traffic : result.traffics) add_traffic(figures, traffic);
  for (const auto& job : result.jobs) add_job(figures, job);
  return std::move(figures.values);
}

}  // namespace joulecast::study
