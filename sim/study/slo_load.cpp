#include "study/slo_load.hpp"

#include <algorithm>
#include <cmath>

#include "scenario/slo_judgement.hpp"

namespace joulecast::study {

namespace {

using Process = traces::Arrivals::Process;
using By = traces::RateScale::By;

/// What the keys of a scenario allow.
constexpr double kMostScale = 1e4, kMostRequestRate = 1e7;

double most_of(const scenario::Traffic& traffic) {
  if (traffic.trace) {
    const double now = traffic.rate ? traffic.rate->scale : 1;
    return (traffic.rate && traffic.rate->by == By::thin ? 1 : kMostScale) / now;
  }
  const traces::Arrivals& arrivals = traffic.arrivals;
  if (arrivals.process == Process::closed) return kMostScale;
  return kMostRequestRate / (arrivals.request_rate.si() * (arrivals.daily ? arrivals.daily->peak() : 1));
}

}  // namespace

scenario::Scenario with_load(scenario::Scenario scenario, double scale) {
  if (scale == 1) return scenario;
  for (scenario::Traffic& traffic : scenario.traffics) {
    if (traffic.trace) {
      if (!traffic.rate) traffic.rate.emplace();
      traffic.rate->scale *= scale;
    } else if (traffic.arrivals.process == Process::closed) {
      const double concurrency = static_cast<double>(traffic.arrivals.max_concurrency) * scale;
      traffic.arrivals.max_concurrency = std::max<std::int64_t>(1, std::llround(concurrency));
    } else {
      traffic.arrivals.request_rate = scale * traffic.arrivals.request_rate;
    }
  }
  return scenario;
}

LoadBounds load_bounds(const scenario::Scenario& scenario) {
  LoadBounds bounds;
  for (const scenario::Traffic& traffic : scenario.traffics) bounds.most = std::min(bounds.most, most_of(traffic));
  bounds.least = std::min(bounds.least, bounds.most);
  return bounds;
}

std::vector<Attainment> attainments(const scenario::Scenario& scenario, const scenario::Result& result) {
  std::vector<Attainment> all;
  const Time end{span_from_seconds(result.horizon_s).ns}, warmup{span_from_seconds(result.warmup_s).ns};
  for (std::size_t t = 0; t < scenario.traffics.size(); ++t) {
    const scenario::Traffic& traffic = scenario.traffics[t];
    if (!traffic.slo) continue;
    const serving::RequestTable& requests = *result.requests.at(t).second;
    std::uint64_t within = 0, judged = 0;
    for (std::uint32_t number = 0; number < requests.size(); ++number) {
      if (requests[number].facts.arrival < warmup) continue;
      const scenario::Judged each = scenario::judge(*traffic.slo, requests[number], end);
      within += each == scenario::Judged::within ? 1 : 0;
      judged += each == scenario::Judged::open ? 0 : 1;
    }
    all.push_back({traffic.name, judged > 0 ? static_cast<double>(within) / static_cast<double>(judged) : 0, traffic.slo->attainment.value, judged});
  }
  return all;
}

Judgement judgement(const std::vector<Attainment>& attainments) {
  double margin = 1;
  bool all = true;
  for (const Attainment& each : attainments) {
    margin = std::min(margin, each.share - each.required);
    all = all && each.judged > 0;
  }
  return {all && margin >= 0, margin};
}

double requests_per_second(const scenario::Scenario& scenario, const scenario::Result& result) {
  double arrived = 0;
  Time last{0};
  for (const auto& [name, requests] : result.requests) {
    arrived += static_cast<double>(requests->size());
    if (requests->size() > 0) last = std::max(last, (*requests)[static_cast<std::uint32_t>(requests->size() - 1)].facts.arrival);
  }
  const double seconds = scenario.duration ? scenario.duration->si() : last.seconds();
  return seconds > 0 ? arrived / seconds : 0;
}

}  // namespace joulecast::study
