#include "study/plan_length.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "config/diagnostics.hpp"
#include "scenario/simulate.hpp"
#include "scenario/traffic_lengths.hpp"
#include "study/slo_load.hpp"
#include "study/tail.hpp"
#include "traces/requests/generate.hpp"
#include "traces/requests/open.hpp"

namespace joulecast::study {

namespace {

/// How many times the least number a widened traffic has: room for misses that are due.
constexpr double kRoom = 3;
constexpr double kResidences = 5;

struct Need {
  double seconds = 0;  ///< of the whole run
  std::string reason;
};

/// Requests of a traffic that end of themselves or are read, after the warm-up at the grown load: as a run would send them, counted until they are enough. Of a
/// closed loop all that it may send; nothing of one that only the duration ends, nor of a generated traffic.
std::optional<std::uint64_t> due(const scenario::Scenario& scenario, const scenario::Traffic& planned, double growth, std::uint64_t enough) {
  if (!planned.trace && !planned.num_requests) return std::nullopt;
  const scenario::Scenario grown = with_load(scenario, growth);
  const auto found =
      std::find_if(grown.traffics.begin(), grown.traffics.end(), [&](const scenario::Traffic& each) { return each.name == planned.name; });
  const scenario::Traffic& traffic = *found;
  if (!traffic.trace && traffic.arrivals.process == traces::Arrivals::Process::closed) return traffic.num_requests;
  const std::string name = "traffic/" + traffic.name;
  const auto stream = traffic.trace ? traces::open_trace(*traffic.trace, nullptr, {traffic.rate, scenario.seed, name, traffic.resample})
                                    : traces::generate(traffic.arrivals, scenario::lengths_of(traffic), traffic.num_requests, scenario.seed, name);
  const Time warmup{span_from_seconds(scenario.warmup.si()).ns};
  std::uint64_t count = 0;
  while (count < enough) {
    const auto request = stream->next();
    if (!request || (scenario.duration && request->arrival >= Time{span_from_seconds(scenario.duration->si()).ns})) break;
    count += request->arrival >= warmup ? 1U : 0U;
  }
  return count;
}

/// What a generated traffic with a duration needs; nothing where it has it.
std::optional<Need> need(const scenario::Scenario& scenario, const scenario::Traffic& traffic, const scenario::TrafficForecast& forecast,
                         const scenario::PlanTable& plan) {
  const double warmup = scenario.warmup.si(), lasts = scenario.duration->si() - warmup;
  const double rate = forecast.requests_per_s * plan.growth;
  const auto least = static_cast<double>(least_requests(traffic.slo->attainment.value, plan.confidence.value));
  Need found;
  if (rate > 0 && rate * lasts < least) {
    found = {warmup + kRoom * least / rate, fmt::format("{}, and {:.0f} are due", tail_claim(traffic, plan), rate * lasts)};
  }
  const double residence = traffic.slo->tpot ? forecast.mean_output * traffic.slo->tpot->si() : 0;
  if (lasts < kResidences * residence) {
    const std::string fills =
        fmt::format("a mean request may take {:.3g} s at its TPOT limit, and batches fill in no less than {} times that", residence, kResidences);
    found.seconds = std::max(found.seconds, warmup + kResidences * residence);
    found.reason = found.reason.empty() ? fmt::format("traffic \"{}\": {}", traffic.name, fills) : found.reason + "; " + fills;
  }
  return found.seconds > 0 ? std::optional(std::move(found)) : std::nullopt;
}

}  // namespace

std::string tail_claim(const scenario::Traffic& traffic, const scenario::PlanTable& plan) {
  return fmt::format("traffic \"{}\": to claim {:.4g} % within its SLO with {:.4g} % confidence takes {} requests after the warm-up (Wilks 1941)",
                     traffic.name, 100 * traffic.slo->attainment.value, 100 * plan.confidence.value,
                     least_requests(traffic.slo->attainment.value, plan.confidence.value));
}

std::vector<std::string> widen(std::vector<scenario::PlanCandidate>& candidates, const scenario::PlanTable& plan) {
  const auto first =
      std::find_if(candidates.begin(), candidates.end(), [](const scenario::PlanCandidate& each) { return each.scenario.has_value(); });
  if (first == candidates.end()) return {};
  const scenario::Scenario& scenario = *first->scenario;
  const scenario::Forecast forecast = scenario::forecast(scenario);
  config::Diagnostics diagnostics;
  std::vector<std::string> notes;
  double seconds = 0;
  for (std::size_t t = 0; t < scenario.traffics.size(); ++t) {
    const scenario::Traffic& traffic = scenario.traffics[t];
    if (!traffic.slo) continue;
    const auto least = least_requests(traffic.slo->attainment.value, plan.confidence.value);
    const auto count = due(scenario, traffic, plan.growth, least);
    if (count && *count < least) {
      diagnostics.error(traffic.slo->place, fmt::format("{}, and {} are due", tail_claim(traffic, plan), *count), kLongerTraffic);
    } else if (!traffic.trace && !traffic.num_requests && scenario.duration) {
      const auto more = need(scenario, traffic, forecast.traffics[t], plan);
      if (!more) continue;
      seconds = std::max(seconds, std::ceil(more->seconds));
      notes.push_back(
          fmt::format("widened: {}; the duration is {:.0f} s in place of {:.6g} s", more->reason, std::ceil(more->seconds), scenario.duration->si()));
    }
  }
  diagnostics.throw_if_failed();
  if (seconds > 0) {
    for (scenario::PlanCandidate& each : candidates) {
      if (each.scenario) each.scenario->duration = Seconds(seconds);
    }
  }
  return notes;
}

}  // namespace joulecast::study
