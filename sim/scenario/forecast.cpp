#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "scenario/costs.hpp"
#include "scenario/placement.hpp"
#include "scenario/simulate.hpp"
#include "traces/requests/length_histogram.hpp"

namespace joulecast::scenario {

namespace {

using serving::Phase;

TrafficForecast traffic_forecast(const Scenario& scenario, const Traffic& traffic) {
  TrafficForecast forecast;
  forecast.name = traffic.name;
  std::int64_t context = std::numeric_limits<std::int64_t>::max();
  for (const std::size_t pool : traffic.pools) context = std::min(context, scenario.pools[pool].engine.max_model_len);
  if (traffic.trace) {
    const traces::TraceSummary summary = traces::summarize(*traffic.trace, {context});
    const double rows = static_cast<double>(summary.requests);
    forecast.requests = summary.requests;
    forecast.requests_per_s = summary.span.ns > 0 ? rows / summary.span.seconds() : 0;
    forecast.mean_input = static_cast<double>(summary.input_tokens) / rows;
    forecast.mean_output = static_cast<double>(summary.output_tokens) / rows;
    forecast.over_context = summary.over_context.front();
  } else {
    const auto histogram = traces::LengthHistogram::read(traffic.histogram_path);
    forecast.requests = traffic.num_requests.value_or(0);
    forecast.requests_per_s = traffic.arrivals.request_rate.si();
    forecast.mean_input = histogram.mean_input();
    forecast.mean_output = histogram.mean_output();
  }
  return forecast;
}

/// Requests a second that one replica completes when it never idles, for requests of mean length: a batch as large as KV and max_num_seqs allow, each
/// request charged its prompt as one chunk and an equal share of the decode steps.
double sustainable(const Pool& pool, const serving::StepCosts& costs, double input, double output) {
  const auto prompt = std::max<std::int64_t>(1, std::llround(input));
  const double mean_context = input + output / 2;
  const double tokens = static_cast<double>((pool.engine.num_gpu_blocks - 1) * pool.engine.block_size);
  const auto batch = std::max<std::int64_t>(1, std::min(pool.engine.max_num_seqs, static_cast<std::int64_t>(tokens / mean_context)));
  const auto context = static_cast<std::int64_t>(static_cast<double>(batch) * mean_context);
  const serving::DecodeSegment& segment = costs.decode(Phase::decode, static_cast<int>(batch), context);
  const double decode = segment.base_seconds.units() + static_cast<double>(context) * segment.attention_seconds_per_context.units();
  const std::int64_t chunk = std::min(prompt, pool.engine.max_num_batched_tokens);
  const std::array<serving::Chunk, 1> chunks{{{chunk, 0}}};
  const double mixed =
      costs.mixed(Phase::prefill, chunks, static_cast<int>(std::min(batch, pool.engine.max_num_seqs - 1)), context).total_seconds().units();
  const double prefill = std::max(0.0, mixed - decode) * static_cast<double>(prompt) / static_cast<double>(chunk);
  return 1 / (prefill + std::max(1.0, output) * decode / static_cast<double>(batch));
}

}  // namespace

Forecast forecast(const Scenario& scenario) {
  Forecast result;
  result.notes = scenario.notes;
  for (const Traffic& traffic : scenario.traffics) result.traffics.push_back(traffic_forecast(scenario, traffic));
  const Placement placement = place(scenario);
  for (const auto& nodes : placement.unused_gpus) {
    for (const int gpus : nodes) result.unused_gpus += gpus;
  }
  std::vector<double> offered(scenario.pools.size(), 0);
  for (std::size_t t = 0; t < scenario.traffics.size(); ++t) {
    double replicas = 0;
    for (const std::size_t pool : scenario.traffics[t].pools) replicas += scenario.pools[pool].replicas;
    for (const std::size_t pool : scenario.traffics[t].pools) {
      offered[pool] += result.traffics[t].requests_per_s * scenario.pools[pool].replicas / replicas;
    }
  }
  for (std::size_t i = 0; i < scenario.pools.size(); ++i) {
    const Pool& pool = scenario.pools[i];
    const Cluster& cluster = scenario.clusters[pool.cluster];
    PoolForecast entry;
    entry.name = pool.name;
    entry.model = pool.model_name;
    entry.gpu = cluster.gpu.name;
    entry.node = cluster.node.name;
    entry.replicas = pool.replicas;
    entry.tensor_parallel_size = pool.tensor_parallel_size;
    entry.gpus = pool.replicas * pool.tensor_parallel_size;
    auto nodes = placement.node_of_replica[i];
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    entry.nodes = static_cast<int>(nodes.size());
    entry.kv_blocks = static_cast<std::uint64_t>(pool.engine.num_gpu_blocks);
    entry.kv_tokens = static_cast<std::uint64_t>((pool.engine.num_gpu_blocks - 1) * pool.engine.block_size);
    const Watts limit = pool.power_limit ? *pool.power_limit : cluster.gpu.power_limit.standard.value;
    entry.nameplate_watts = entry.nodes * cluster.node.nameplate(limit).si();
    double input = 0, output = 0, rate = 0;
    for (std::size_t t = 0; t < scenario.traffics.size(); ++t) {
      const auto& pools = scenario.traffics[t].pools;
      if (std::find(pools.begin(), pools.end(), i) == pools.end()) continue;
      const auto& traffic = result.traffics[t];
      input += traffic.requests_per_s * traffic.mean_input;
      output += traffic.requests_per_s * traffic.mean_output;
      rate += traffic.requests_per_s;
    }
    if (rate > 0) {
      const auto costs = pool_costs(scenario, pool);
      entry.sustainable_requests_per_s = pool.replicas * sustainable(pool, *costs, input / rate, output / rate);
      result.offered_over_sustainable = std::max(result.offered_over_sustainable, offered[i] / entry.sustainable_requests_per_s);
    }
    result.pools.push_back(std::move(entry));
  }
  if (result.offered_over_sustainable > 1) {
    result.notes.push_back(
        fmt::format("the traffic offers {:.0f} % of what the pools can sustain: queues grow without bound", 100 * result.offered_over_sustainable));
  }
  return result;
}

}  // namespace joulecast::scenario
