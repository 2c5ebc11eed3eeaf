#include "scenario/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "scenario/activity.hpp"
#include "scenario/slo_judgement.hpp"

namespace joulecast::scenario {

namespace {

double quantile(std::vector<double>& samples, double q) {
  const double position = q * static_cast<double>(samples.size() - 1);
  const auto below = static_cast<std::size_t>(position);
  const auto nth = samples.begin() + static_cast<std::ptrdiff_t>(below);
  std::nth_element(samples.begin(), nth, samples.end());
  const double low = *nth;
  if (below + 1 == samples.size()) return low;
  const double high = *std::min_element(nth + 1, samples.end());
  return low + (position - static_cast<double>(below)) * (high - low);
}

}  // namespace

Distribution distribution(std::vector<double>& samples) {
  if (samples.empty()) {
    const double none = std::numeric_limits<double>::quiet_NaN();
    return {none, none, none, none};
  }
  const double mean = std::accumulate(samples.begin(), samples.end(), 0.0) / static_cast<double>(samples.size());
  return {mean, quantile(samples, 0.5), quantile(samples, 0.9), quantile(samples, 0.99)};
}

TrafficResult traffic_result(const Traffic& traffic, const serving::RequestTable& requests, const serving::LatencyHistogram& itl, Time warmup,
                             Time end) {
  TrafficResult result;
  result.name = traffic.name;
  std::vector<double> ttft, tpot, e2e, queue, prefill, transfer;
  for (auto* samples : {&ttft, &tpot, &e2e, &queue}) samples->reserve(requests.size());
  std::uint64_t within = 0, judged = 0;
  for (std::uint32_t number = 0; number < requests.size(); ++number) {
    const auto& [facts, outcome] = requests[number];
    ++result.arrived;
    result.input_tokens += static_cast<std::uint64_t>(facts.input);
    result.output_tokens += static_cast<std::uint64_t>(outcome.generated);
    result.truncated += outcome.truncated ? 1 : 0;
    if (outcome.fate == serving::Fate::rejected_over_context) {
      ++result.rejected;
      continue;
    }
    if (outcome.fate != serving::Fate::completed) {
      ++result.unfinished;
      continue;
    }
    ++result.completed;
    if (facts.arrival < warmup) continue;
    const double first = (outcome.first_token - facts.arrival).seconds();
    const double whole = (outcome.last_token - facts.arrival).seconds();
    const double each = outcome.generated > 1 ? (whole - first) / (outcome.generated - 1) : std::numeric_limits<double>::quiet_NaN();
    ttft.push_back(first);
    e2e.push_back(whole);
    queue.push_back((outcome.queued_until - facts.arrival).seconds());
    if (!std::isnan(each)) tpot.push_back(each);
    if (outcome.kv_received >= Time{0}) {
      prefill.push_back((outcome.prefilled - facts.arrival).seconds());
      transfer.push_back((outcome.kv_received - outcome.prefilled).seconds());
    }
    if (traffic.slo) {
      ++judged;
      within += judge(*traffic.slo, requests[number], end) == Judged::within ? 1 : 0;
    }
  }
  result.over_context = result.rejected + result.truncated;
  result.output_tokens_per_s = end.ns > 0 ? static_cast<double>(result.output_tokens) / end.seconds() : 0;
  if (traffic.slo) {
    result.slo_target = traffic.slo->attainment.value;
    if (judged > 0) result.slo_attainment = static_cast<double>(within) / static_cast<double>(judged);
  }
  result.ttft_s = distribution(ttft);
  result.tpot_s = distribution(tpot);
  result.e2e_s = distribution(e2e);
  result.queue_s = distribution(queue);
  result.ttft.seconds = at_latency_shares(ttft);
  result.tpot.seconds = at_latency_shares(tpot);
  result.e2e.seconds = at_latency_shares(e2e);
  if (traffic.slo) {
    const auto limit = [](const auto& stated) { return stated ? std::optional(stated->si()) : std::nullopt; };
    result.ttft.limit_s = limit(traffic.slo->ttft);
    result.tpot.limit_s = limit(traffic.slo->tpot);
    result.e2e.limit_s = limit(traffic.slo->e2e);
  }
  if (!prefill.empty()) {
    result.prefill_s = distribution(prefill);
    result.kv_transfer_s = distribution(transfer);
  }
  result.itl_s = {itl.mean_s(), itl.quantile_s(0.5), itl.quantile_s(0.9), itl.quantile_s(0.99)};
  return result;
}

}  // namespace joulecast::scenario
