#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/format.hpp"
#include "scenario/costs.hpp"
#include "scenario/placement.hpp"
#include "scenario/simulate.hpp"
#include "scenario/traffic_lengths.hpp"

namespace joulecast::scenario {

namespace {

using serving::Phase;

TrafficForecast traffic_forecast(const Scenario& scenario, const Traffic& traffic) {
  TrafficForecast forecast;
  forecast.name = traffic.name;
  std::int64_t context = std::numeric_limits<std::int64_t>::max();
  for (const std::size_t pool : traffic.decode_pools) context = std::min(context, scenario.pools[pool].engine.max_model_len);
  for (const std::size_t pool : traffic.pools) context = std::min(context, scenario.pools[pool].engine.max_model_len);
  if (traffic.trace) {
    const traces::TraceSummary summary = traces::summarize(*traffic.trace, {context});
    const double rows = static_cast<double>(summary.requests);
    forecast.requests = summary.requests;
    forecast.requests_per_s = summary.span.ns > 0 ? rows / summary.span.seconds() : 0;
    forecast.mean_input = static_cast<double>(summary.input_tokens) / rows;
    forecast.mean_output = static_cast<double>(summary.output_tokens) / rows;
    forecast.over_context = summary.over_context.front();
    if (traffic.rate) {
      using By = traces::RateScale::By;
      forecast.requests_per_s *= traffic.rate->scale;
      if (traffic.rate->by != By::compress) {
        forecast.requests = static_cast<std::uint64_t>(std::llround(rows * traffic.rate->scale));
        forecast.over_context = static_cast<std::uint64_t>(std::llround(static_cast<double>(forecast.over_context) * traffic.rate->scale));
      }
    }
  } else {
    const traces::LengthMix lengths = lengths_of(traffic);
    forecast.requests = traffic.num_requests.value_or(0);
    forecast.requests_per_s = traffic.arrivals.request_rate.si();
    forecast.mean_input = lengths.mean_input();
    forecast.mean_output = lengths.mean_output();
  }
  return forecast;
}

/// Requests a second whose prompts a replica computes one after another, in chunks as large as a step allows.
double sustainable_prompts(const Pool& pool, const serving::StepCosts& costs, double input) {
  const auto prompt = std::max<std::int64_t>(1, std::llround(input));
  const std::array<serving::Chunk, 1> chunks{{{std::min(prompt, pool.engine.max_num_batched_tokens), 0}}};
  const double step = costs.mixed(Phase::prefill, chunks, 0, 0).total_seconds().units();
  return static_cast<double>(chunks.front().tokens) / (step * static_cast<double>(prompt));
}

/// Requests a second that one replica completes when it never idles, for requests of mean length: a batch as large as KV and max_num_seqs allow, each
/// request charged its prompt as one chunk (of one token where another replica has computed it) and an equal share of the decode steps.
double sustainable(const Pool& pool, const serving::StepCosts& costs, double input, double output) {
  if (pool.engine.kv_role == serving::KvRole::producer) return sustainable_prompts(pool, costs, input);
  const serving::EngineConfig engine = pool.engine.folded();
  const bool elsewhere = engine.kv_role == serving::KvRole::consumer;
  const auto prompt = elsewhere ? 1 : std::max<std::int64_t>(1, std::llround(input));
  const double mean_context = input + output / 2;
  const double tokens = static_cast<double>((engine.num_gpu_blocks - 1) * engine.block_size);
  const auto batch = std::max<std::int64_t>(1, std::min(engine.max_num_seqs, static_cast<std::int64_t>(tokens / mean_context)));
  const auto context = static_cast<std::int64_t>(static_cast<double>(batch) * mean_context);
  const serving::DecodeSegment& segment = costs.decode(Phase::decode, static_cast<int>(batch), context);
  const double decode = segment.base_seconds.units() + static_cast<double>(context) * segment.attention_seconds_per_context.units();
  const std::int64_t chunk = std::min(prompt, pool.engine.max_num_batched_tokens);
  const std::array<serving::Chunk, 1> chunks{{{chunk, 0}}};
  const double mixed =
      costs.mixed(Phase::prefill, chunks, static_cast<int>(std::min(batch, engine.max_num_seqs - 1)), context).total_seconds().units();
  const double prefill = std::max(0.0, mixed - decode) * static_cast<double>(prompt) / static_cast<double>(chunk);
  return 1 / (prefill + std::max(1.0, output / pool.engine.speculative.expected_tokens()) * decode / static_cast<double>(batch));
}

/// The limit of a cluster's GPUs: the highest that a pool on it sets, the board's own where a pool sets none or GPUs are left over.
Watts limit_of(const Scenario& scenario, std::size_t cluster, const Placement& placement) {
  const Watts standard = scenario.clusters[cluster].gpu.power_limit.standard.value;
  const auto& unused = placement.unused_gpus[cluster];
  if (std::any_of(unused.begin(), unused.end(), [](int gpus) { return gpus > 0; })) return standard;
  Watts limit;
  for (const Pool& pool : scenario.pools) {
    if (pool.cluster == cluster) limit = std::max(limit, pool.power_limit.value_or(standard));
  }
  return limit;
}

std::vector<FeedForecast> feed_forecasts(const Scenario& scenario, std::vector<std::string>& notes) {
  const Placement placement = place(scenario);
  std::vector<FeedForecast> feeds;
  for (std::size_t f = 0; f < scenario.feeds.size(); ++f) {
    const Feed& feed = scenario.feeds[f];
    FeedForecast entry{feed.name, scenario.sites[feed.site].name, feed.rating.si(), feed.usable().si(), 0};
    for (std::size_t c = 0; c < scenario.clusters.size(); ++c) {
      const Cluster& cluster = scenario.clusters[c];
      if (cluster.feed != f) continue;
      entry.nameplate_watts += cluster.nodes * (cluster.node.nameplate(limit_of(scenario, c, placement)) + cluster.node.overhead().network).si();
    }
    if (entry.nameplate_watts > entry.usable_watts) {
      notes.push_back(fmt::format("feed \"{}\": the nodes' nameplates, {}, are above its usable {}", feed.name, si(entry.nameplate_watts, "W"),
                                  si(entry.usable_watts, "W")));
    }
    feeds.push_back(std::move(entry));
  }
  return feeds;
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
  result.feeds = feed_forecasts(scenario, result.notes);
  std::vector<double> offered(scenario.pools.size(), 0);
  for (std::size_t t = 0; t < scenario.traffics.size(); ++t) {
    for (const auto& pools : {scenario.traffics[t].pools, scenario.traffics[t].decode_pools}) {
      double replicas = 0;
      for (const std::size_t pool : pools) replicas += scenario.pools[pool].replicas;
      for (const std::size_t pool : pools) offered[pool] += result.traffics[t].requests_per_s * scenario.pools[pool].replicas / replicas;
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
    entry.gpus = pool.replicas * pool.gpus_per_replica();
    auto nodes = placement.node_of_replica[i];
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    entry.nodes = static_cast<int>(nodes.size());
    entry.kv_blocks = static_cast<std::uint64_t>(pool.engine.folded().num_gpu_blocks);
    entry.kv_tokens = (entry.kv_blocks - 1) * static_cast<std::uint64_t>(pool.engine.block_size);
    const Watts limit = pool.power_limit ? *pool.power_limit : cluster.gpu.power_limit.standard.value;
    entry.nameplate_watts = entry.nodes * cluster.node.nameplate(limit).si();
    double input = 0, output = 0, rate = 0;
    for (std::size_t t = 0; t < scenario.traffics.size(); ++t) {
      const auto serves = [i](const std::vector<std::size_t>& pools) { return std::find(pools.begin(), pools.end(), i) != pools.end(); };
      if (!serves(scenario.traffics[t].pools) && !serves(scenario.traffics[t].decode_pools)) continue;
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
