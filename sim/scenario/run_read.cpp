#include <fmt/format.h>

#include <algorithm>

#include "base/hash.hpp"
#include "metering/tariff.hpp"
#include "scenario/costs.hpp"
#include "scenario/run.hpp"
#include "scenario/spread.hpp"
#include "scenario/statistics.hpp"

namespace joulecast::scenario {

void Run::charge_unused(Time end) {
  for (const auto& [meter, bare_idle] : unused_) {
    const FixedEnergy each = FixedEnergy::from_units(bare_idle.si() * 1e-9);
    meter->add(metering::State::bare_idle, to_fixed(Time{0}), to_fixed(end), end.ns * each);
  }
}

void Run::state_provenance() {
  for (std::size_t p = 0; p < pools_.size(); ++p) {
    for (int w = 0; w < serving::kWorks; ++w) {
      const auto work = static_cast<serving::Work>(w);
      ledger_.set_provenance(p, static_cast<metering::ClassId>(w), pools_[p].costs->time_provenance(work), pools_[p].costs->watts_provenance(work));
    }
  }
}

PoolResult Run::pool_result(std::size_t index, Time end) const {
  const Pool& pool = scenario_.pools[index];
  const Cluster& cluster = scenario_.clusters[pool.cluster];
  PoolResult result;
  result.name = pool.name;
  result.model = pool.model_name;
  result.gpu = cluster.gpu.name;
  result.node = cluster.node.name;
  result.replicas = pool.replicas;
  result.tensor_parallel_size = pool.tensor_parallel_size;
  result.gpus = pool.replicas * pool.tensor_parallel_size;
  result.kv_blocks = static_cast<std::uint64_t>(pool.engine.num_gpu_blocks);
  result.clock = clock_text(scenario_, pool);
  std::int64_t sequences = 0, queries = 0, hits = 0;
  FixedTime busy;
  int128 block_time = 0;
  for (const serving::Replica* replica : pools_[index].replicas) {
    const serving::ReplicaStatistics& did = replica->statistics();
    result.steps += static_cast<std::uint64_t>(did.steps);
    result.preemptions += static_cast<std::uint64_t>(did.preemptions);
    result.output_tokens += static_cast<std::uint64_t>(did.output_tokens);
    sequences += did.sequence_steps;
    queries += did.prefix_queries;
    hits += did.prefix_hits;
    busy += did.busy;
    block_time += did.block_time;
  }
  if (result.steps > 0) result.mean_batch = static_cast<double>(sequences) / static_cast<double>(result.steps);
  const double replica_time = static_cast<double>(to_fixed(end).raw) * pool.replicas;
  if (replica_time > 0) {
    result.busy = static_cast<double>(busy.raw) / replica_time;
    result.kv_usage = static_cast<double>(block_time) / (replica_time * static_cast<double>(pool.engine.num_gpu_blocks - 1));
  }
  if (pool.engine.enable_prefix_caching && queries > 0) result.prefix_hit_rate = static_cast<double>(hits) / static_cast<double>(queries);
  Provenance worst_watts = Provenance::measured;
  for (int w = 0; w < serving::kWorks; ++w) worst_watts = worst(worst_watts, pools_[index].costs->watts_provenance(static_cast<serving::Work>(w)));
  result.watts_source = std::string(name(worst_watts));
  return result;
}

TrafficResult Run::read_traffic(std::size_t index, Time end) const {
  const Traffic& traffic = scenario_.traffics[index];
  serving::LatencyHistogram inter_token;
  for (const std::size_t pool : traffic.pools) {
    for (const serving::Replica* replica : pools_[pool].replicas) inter_token.merge(replica->statistics().inter_token);
  }
  TrafficResult result = traffic_result(traffic, *traffics_[index].table, inter_token, warmup_, end);
  if (const auto& counts = traffics_[index].counts) {
    const auto note = [&](std::uint64_t rows, const char* what) {
      if (rows > 0) result.notes.push_back(fmt::format("{} {}", rows, what));
    };
    note(counts->dropped_zero_input, "rows without input tokens dropped");
    note(counts->dropped_zero_output, "rows without output tokens dropped");
    note(counts->inversions, "rows out of order, sorted");
    note(counts->torn_last_row ? 1 : 0, "torn last row dropped");
    if (!counts->origin.empty()) result.notes.push_back("time 0 of the run is the trace's " + counts->origin);
  }
  return result;
}

/// Cost is split between prompt and generated tokens as the GPUs' joules are attributed to them.
void Run::read_money_and_carbon(Result& result, FixedEnergy attributed) const {
  const Joules facility(result.energy.joules[static_cast<int>(metering::Boundary::facility)]);
  const Seconds run(result.horizon_s);
  metering::Tariff tariff;
  Cost cost;
  if (scenario_.site.price) {
    tariff.price = scenario_.site.price->amount;
    cost.currency = scenario_.site.price->currency;
    cost.energy = tariff.energy_cost(facility).si();
    cost.total += *cost.energy;
  }
  for (const Cluster& cluster : scenario_.clusters) {
    if (cluster.cost.rental) {
      cost.currency = cluster.cost.rental->currency;
      cost.rental = cost.rental.value_or(0) + metering::Rental{cluster.cost.rental->amount}.cost(cluster.nodes * cluster.node.gpus, run).si();
    }
    if (cluster.cost.capital) {
      cost.currency = cluster.cost.capital->currency;
      cost.capital = cost.capital.value_or(0) + metering::Capital{cluster.cost.capital->amount, *cluster.cost.life}.cost(cluster.nodes, run).si();
    }
  }
  cost.total += cost.rental.value_or(0) + cost.capital.value_or(0);
  double input = 0, output = 0;
  for (const TrafficResult& traffic : result.traffics) {
    input += static_cast<double>(traffic.input_tokens);
    output += static_cast<double>(traffic.output_tokens);
  }
  FixedEnergy prompt;
  for (const PoolParts& pool : pools_) {
    for (const serving::Replica* replica : pool.replicas) prompt += replica->statistics().prompt_joules;
  }
  if (attributed.raw > 0 && input > 0 && output > 0) {
    const double share = prompt.units() / attributed.units();
    cost.per_million_input = 1e6 * cost.total * share / input;
    cost.per_million_output = 1e6 * cost.total * (1 - share) / output;
  }
  if (!cost.currency.empty()) result.cost = cost;
  if (scenario_.site.carbon) {
    tariff.carbon = *scenario_.site.carbon;
    result.carbon_grams = tariff.emission(facility).si();
  }
}

void Run::read_coverage(Result& result) const {
  double joules = 0, seconds = 0;
  std::map<std::string, double> energy, time;
  const auto idle = [&](metering::State state, const metering::PoolAccount& pool, hardware::FigureKind kind) {
    const double idle_joules = 1e-9 * static_cast<double>(pool.state_nanojoules[static_cast<std::size_t>(state)]);
    energy[std::string(name(hardware::provenance(kind)))] += idle_joules;
    joules += idle_joules;
  };
  for (std::size_t p = 0; p < result.energy.pools.size(); ++p) {
    const metering::PoolAccount& account = result.energy.pools[p];
    if (p >= scenario_.pools.size()) {
      // One account of all clusters' unused GPUs: known no better than the worst of their figures.
      hardware::FigureKind kind = hardware::FigureKind::measured;
      for (std::size_t c = 0; c < scenario_.clusters.size(); ++c) {
        const auto& unused = placement_.unused_gpus[c];
        const auto own = scenario_.clusters[c].gpu.idle.bare.kind;
        const bool worse = hardware::provenance(own) > hardware::provenance(kind);
        if (worse && std::any_of(unused.begin(), unused.end(), [](int gpus) { return gpus > 0; })) kind = own;
      }
      idle(metering::State::bare_idle, account, kind);
      continue;
    }
    idle(metering::State::context_idle, account, scenario_.clusters[scenario_.pools[p].cluster].gpu.idle.context.kind);
    for (const metering::ClassAccount& spent : account.classes) {
      energy[std::string(name(spent.watts_provenance))] += spent.joules;
      time[std::string(name(spent.time_provenance))] += spent.seconds;
      joules += spent.joules;
      seconds += spent.seconds;
    }
  }
  for (const auto& [provenance, share] : energy) {
    if (joules > 0 && share > 0) result.energy_coverage[provenance] = share / joules;
  }
  for (const auto& [provenance, share] : time) {
    if (seconds > 0 && share > 0) result.time_coverage[provenance] = share / seconds;
  }
}

Result Run::result(const engine::RunStats& stats) {
  charge_unused(stats.end);
  state_provenance();
  Result result;
  result.name = scenario_.name;
  result.seed = scenario_.seed;
  result.horizon_s = stats.end.seconds();
  result.warmup_s = scenario_.warmup.si();
  result.partial = stats.stopped;
  result.energy = ledger_.close(stats.end, Span{warmup_.ns});
  for (std::size_t p = 0; p < pools_.size(); ++p) result.pools.push_back(pool_result(p, stats.end));
  FixedEnergy attributed;
  for (std::size_t t = 0; t < traffics_.size(); ++t) {
    result.traffics.push_back(read_traffic(t, stats.end));
    const serving::RequestTable& table = *traffics_[t].table;
    for (std::uint32_t number = 0; number < table.size(); ++number) attributed += table[number].outcome.joules;
    if (options_.keep_requests) result.requests.emplace_back(scenario_.traffics[t].name, traffics_[t].table);
  }
  const double active = 1e-9 * static_cast<double>(result.energy.state_nanojoules[static_cast<int>(metering::State::active)]);
  result.audit.attributed_share = active > 0 ? attributed.units() / active : 1;
  for (const auto& nodes : placement_.unused_gpus) {
    for (const int gpus : nodes) result.no_pool_gpus += gpus;
  }
  result.spread = spread(scenario_, result.energy);
  read_money_and_carbon(result, attributed);
  read_coverage(result);
  for (const auto& path : scenario_.inputs) result.inputs.push_back({path, sha256_of_file(path)});
  result.notes = scenario_.notes;
  result.events = stats.events;
  result.windows = stats.windows;
  result.parallel_windows = stats.parallel_windows;
  for (const auto& each : stats.fingerprints) {
    result.fingerprint += fmt::format("{} {} {:016x}\n", each.time.ns, simulation_.name(each.entity), each.hash);
  }
  return result;
}

}  // namespace joulecast::scenario
