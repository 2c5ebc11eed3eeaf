#include "study/sweep_objectives.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "config/diagnostics.hpp"
#include "config/node.hpp"

namespace joulecast::study {

namespace {

constexpr std::array kOfBoundary = {"energy_per_output_token_joules", "energy_per_request_joules", "energy_joules"};

/// "energy_joules" and "power_watts.mean" at a boundary, as figures name them; any other key as it is.
std::string at_boundary(const std::string& key, const std::string& boundary) {
  for (const char* name : kOfBoundary) {
    if (key == name) return key + "." + boundary;
  }
  constexpr std::string_view power = "power_watts.";
  for (const char* statistic : {"mean", "peak_60s"}) {
    if (key == std::string(power) + statistic) return std::string(power) + boundary + "." + statistic;
  }
  return key;
}

/// Every figure that a scenario with these traffics and jobs may have: those of a result in which everything is known.
std::vector<Figure> possible_figures(const std::vector<std::string>& traffics, const std::vector<std::string>& jobs) {
  scenario::Result result;
  result.cost.emplace();
  result.cost->per_million_output = 1;
  result.carbon_grams = 1;
  const scenario::Distribution known{1, 1, 1, 1};
  for (const std::string& name : traffics) {
    scenario::TrafficResult traffic;
    traffic.name = name;
    traffic.completed = traffic.output_tokens = 1;
    traffic.slo_attainment = traffic.accuracy = 1;
    traffic.ttft_s = traffic.tpot_s = traffic.itl_s = traffic.e2e_s = traffic.queue_s = known;
    result.traffics.push_back(std::move(traffic));
  }
  for (const std::string& name : jobs) {
    scenario::TrainingResult job;
    job.name = name;
    job.iterations = 1;
    result.jobs.push_back(std::move(job));
  }
  std::vector<Figure> all;
  for (int b = 0; b < metering::kBoundaries; ++b) {
    for (FigureValue& each : figures_of(result, static_cast<metering::Boundary>(b))) all.push_back(std::move(each.figure));
  }
  return all;
}

}  // namespace

std::vector<std::string> objectives_of(const scenario::SweepSettings& settings, const std::vector<std::string>& traffics,
                                       const std::vector<std::string>& jobs) {
  const std::string boundary(metering::name(settings.boundary));
  std::vector<std::string> keys;
  for (const std::string& key : settings.objectives) keys.push_back(at_boundary(key, boundary));
  if (!keys.empty()) return keys;
  if (!traffics.empty()) keys.push_back("energy_per_output_token_joules." + boundary);
  for (const std::string& traffic : traffics) keys.push_back("traffic." + traffic + ".ttft_s.p99");
  for (const std::string& job : jobs) {
    keys.push_back("training." + job + ".iteration_joules");
    keys.push_back("training." + job + ".iteration_s");
  }
  if (keys.empty()) keys.push_back("energy_joules." + boundary);
  return keys;
}

void check_objectives(const scenario::SweepSettings& settings, const std::vector<std::string>& traffics, const std::vector<std::string>& jobs) {
  if (settings.objectives.empty()) return;
  const std::vector<Figure> figures = possible_figures(traffics, jobs);
  std::vector<std::string> keys;
  for (const Figure& figure : figures) keys.push_back(figure.key);
  config::Diagnostics diagnostics;
  for (const std::string& objective : objectives_of(settings, traffics, jobs)) {
    const auto found = std::find_if(figures.begin(), figures.end(), [&](const Figure& figure) { return figure.key == objective; });
    if (found == figures.end()) {
      const std::string near = config::nearest(objective, keys);
      diagnostics.error(settings.place, fmt::format("the objective \"{}\" is no figure of this scenario", objective),
                        near.empty() ? "name one such as \"energy_per_output_token_joules\" or \"traffic.NAME.ttft_s.p99\""
                                     : fmt::format("did you mean \"{}\"?", near));
    } else if (found->better == Figure::Better::neither) {
      diagnostics.error(settings.place, fmt::format("the objective \"{}\" is better neither lower nor higher", objective), "name another figure");
    }
  }
  diagnostics.throw_if_failed();
}

}  // namespace joulecast::study
