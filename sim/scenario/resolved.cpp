#include <algorithm>
#include <charconv>
#include <filesystem>
#include <memory>

#include "config/node.hpp"
#include "scenario/load.hpp"

namespace joulecast::scenario {

namespace {

using config::Node;
using config::Table;

/// Builds a table key by key.
class Writer {
 public:
  Writer& put(const std::string& key, Node::Value value) {
    auto& entry = table_.entries.emplace_back();
    entry.key = key;
    entry.value = std::make_unique<Node>(std::move(value), Place{});
    return *this;
  }
  Writer& text(const std::string& key, const std::string& value) { return put(key, Node::Value(value)); }
  Writer& number(const std::string& key, std::int64_t value) { return put(key, Node::Value(value)); }
  Writer& real(const std::string& key, double value) { return put(key, Node::Value(value)); }
  Writer& flag(const std::string& key, bool value) { return put(key, Node::Value(value)); }
  Writer& table(const std::string& key, Writer inner) { return put(key, Node::Value(std::move(inner.table_))); }
  /// An SI value with its unit, shortest digits that read back to the same bits.
  Writer& quantity(const std::string& key, double si, const std::string& unit) {
    char digits[32];
    const auto end = std::to_chars(digits, digits + sizeof digits, si).ptr;
    return text(key, std::string(digits, end) + " " + unit);
  }
  Node node() { return {Node::Value(std::move(table_)), {}}; }

 private:
  Table table_;
};

Writer cost(const CostTable& cost) {
  Writer writer;
  if (cost.rental) writer.quantity("rental", cost.rental->amount.si(), cost.rental->currency + "/GPU/s");
  if (cost.capital) writer.quantity("capital", cost.capital->amount.si(), cost.capital->currency + "/node");
  if (cost.life) writer.quantity("life", cost.life->si(), "s");
  return writer;
}

Writer cluster(const Cluster& cluster) {
  Writer writer;
  writer.text("node", cluster.node_id).text("gpu", cluster.gpu_id).number("nodes", cluster.nodes);
  if (cluster.cost.rental || cluster.cost.capital) writer.table("cost", cost(cluster.cost));
  return writer;
}

Writer engine(const Pool& pool) {
  Writer writer;
  const auto& config = pool.engine;
  writer.text("vllm_version", "0.19")
      .number("max_num_seqs", config.max_num_seqs)
      .number("max_num_batched_tokens", config.max_num_batched_tokens)
      .number("max_model_len", config.max_model_len)
      .number("block_size", config.block_size);
  if (pool.blocks_given) writer.number("num_gpu_blocks_override", config.num_gpu_blocks);
  writer.real("gpu_memory_utilization", pool.gpu_memory_utilization)
      .flag("enable_prefix_caching", config.enable_prefix_caching)
      .flag("async_scheduling", config.async_scheduling)
      .flag("enable_chunked_prefill", config.enable_chunked_prefill)
      .text("over_context", config.over_context == serving::OverContext::reject ? "reject" : "truncate");
  return writer;
}

Writer pool(const Scenario& scenario, const Pool& pool) {
  Writer writer;
  writer.text("cluster", scenario.clusters[pool.cluster].name)
      .text("model", pool.model_name)
      .text("engine", pool.name)
      .number("tensor_parallel_size", pool.tensor_parallel_size)
      .number("replicas", pool.replicas);
  if (pool.prefill_clock && pool.decode_clock) {
    Writer clocks;
    clocks.quantity("prefill", pool.prefill_clock->si(), "Hz").quantity("decode", pool.decode_clock->si(), "Hz");
    writer.table("sm_clock", std::move(clocks));
  } else {
    writer.text("sm_clock", "auto");
  }
  const auto& gpu = scenario.clusters[pool.cluster].gpu;
  writer.quantity("gpu_power_limit", (pool.power_limit ? *pool.power_limit : gpu.power_limit.standard.value).si(), "W");
  writer.real("speed_factor", pool.speed_factor);
  return writer;
}

std::string absolute(const std::string& path) { return std::filesystem::absolute(path).lexically_normal().string(); }

Writer trace(const traces::TraceOptions& options) {
  Writer writer;
  writer.text("file", absolute(traces::trace_path(options))).text("format", options.format);
  if (options.columns) {
    Writer columns;
    columns.text("arrival", options.columns->arrival).text("input", options.columns->input).text("output", options.columns->output);
    writer.table("columns", std::move(columns));
  }
  if (!options.time_unit.empty()) writer.text("time_unit", options.time_unit);
  writer.flag("rebase", options.rebase)
      .flag("repeat", options.repeat)
      .text("zero_tokens", options.zero_tokens)
      .text("torn_last_row", options.torn_last_row);
  if (options.limit) writer.number("limit", *options.limit);
  if (options.offset.si() != 0) writer.quantity("offset", options.offset.si(), "s");
  return writer;
}

Writer traffic(const Traffic& traffic) {
  Writer writer;
  if (traffic.trace) {
    writer.table("requests", trace(*traffic.trace));
  } else {
    writer.text("lengths", absolute(traffic.histogram_path));
    Writer arrivals;
    using Process = traces::Arrivals::Process;
    const Process process = traffic.arrivals.process;
    arrivals.text("process", process == Process::constant ? "constant"
                             : process == Process::gamma  ? "gamma"
                                                          : "poisson")
        .quantity("request_rate", traffic.arrivals.request_rate.si(), "/s")
        .real("burstiness", traffic.arrivals.burstiness);
    writer.table("arrivals", std::move(arrivals));
  }
  if (traffic.num_requests) writer.number("num_requests", static_cast<std::int64_t>(*traffic.num_requests));
  Node::Array models;
  for (const auto& model : traffic.models) models.emplace_back(Node::Value(model), Place{});
  writer.put("models", Node::Value(std::move(models)));
  if (!traffic.length_prediction.empty()) writer.text("length_prediction", traffic.length_prediction);
  if (traffic.slo) {
    Writer slo;
    if (traffic.slo->ttft) slo.quantity("ttft", traffic.slo->ttft->si(), "s");
    if (traffic.slo->tpot) slo.quantity("tpot", traffic.slo->tpot->si(), "s");
    if (traffic.slo->e2e) slo.quantity("e2e", traffic.slo->e2e->si(), "s");
    slo.real("attainment", traffic.slo->attainment.value).flag("required", traffic.slo->required);
    writer.table("slo", std::move(slo));
  }
  return writer;
}

}  // namespace

std::string resolved_toml(const Scenario& scenario) {
  Writer root;
  root.number("schema", 1).text("name", scenario.name).number("seed", static_cast<std::int64_t>(scenario.seed));
  Writer time;
  if (scenario.duration) time.quantity("duration", scenario.duration->si(), "s");
  time.quantity("warmup", scenario.warmup.si(), "s")
      .text("at_end", scenario.at_end == AtEnd::cut ? "cut" : "drain")
      .quantity("bin", scenario.bin.si(), "s");
  root.table("time", std::move(time));

  Writer site;
  site.real("pue", scenario.site.pue);
  if (scenario.site.price) site.quantity("price", scenario.site.price->amount.si(), scenario.site.price->currency + "/J");
  if (scenario.site.carbon) site.quantity("carbon", scenario.site.carbon->si(), "g/J");
  root.table("site", std::move(Writer().table(scenario.site_name, std::move(site))));

  Writer clusters, models, engines, pools, traffics;
  for (const auto& each : scenario.clusters) clusters.table(each.name, cluster(each));
  std::vector<std::string> named;
  for (const auto& each : scenario.pools) {
    engines.table(each.name, engine(each));
    pools.table(each.name, pool(scenario, each));
    if (each.model_name != each.model.name && std::find(named.begin(), named.end(), each.model_name) == named.end()) {
      named.push_back(each.model_name);
      models.table(each.model_name, std::move(Writer().text("architecture", each.model.name)));
    }
  }
  for (const auto& each : scenario.traffics) traffics.table(each.name, traffic(each));
  root.table("cluster", std::move(clusters));
  if (!named.empty()) root.table("model", std::move(models));
  root.table("engine", std::move(engines)).table("pool", std::move(pools));
  if (!scenario.traffics.empty()) root.table("traffic", std::move(traffics));

  Writer router;
  router.text("replica", "router");
  if (scenario.report_period) router.quantity("report_period", scenario.report_period->si(), "s");
  root.table("router", std::move(router));
  Writer policy;
  policy.text("use", scenario.replica_policy);
  for (const auto& entry : scenario.replica_policy_parameters.as<Table>()->entries) {
    Node copy = *entry.value;
    policy.put(entry.key, std::move(copy.value()));
  }
  root.table("policy", std::move(Writer().table("router", std::move(policy))));
  return config::write(root.node());
}

}  // namespace joulecast::scenario
