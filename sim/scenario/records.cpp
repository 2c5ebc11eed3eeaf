#include "scenario/records.hpp"

namespace joulecast::scenario {

namespace {

using config::Bounds;
using config::Diagnostics;
using config::Node;
using config::Record;

Record<TimeTable> time_record() {
  Record<TimeTable> record("time");
  record.place(&TimeTable::place)
      .optional("duration", &TimeTable::duration, "a trace's length, else \"1 h\"", Bounds::between(1e-6, 9.0e8),
                "simulated time in which requests arrive")
      .optional("warmup", &TimeTable::warmup, "\"0 s\"", Bounds::between(0, 9.0e8), "left out of latency and power statistics, never of energy")
      .optional("at_end", &TimeTable::at_end, "\"drain\" for a trace, else \"cut\"", Bounds::any(),
                "\"cut\": the run ends with the duration; \"drain\": it goes on, beyond it if need be, until every request is done")
      .optional("bin", &TimeTable::bin, "\"1 s\"", Bounds::between(1e-3, 86400), "width of the bins of power over time")
      .later("start", "the date and time at which the run begins");
  return record;
}

Record<SiteTable> site_record() {
  Record<SiteTable> record("site");
  record.place(&SiteTable::place)
      .required("pue", &SiteTable::pue, Bounds::between(1, 10), "facility energy over IT energy")
      .optional("price", &SiteTable::price, "absent: no cost of energy", Bounds::any(), "price of energy, constant: \"0.08 USD/kWh\"")
      .optional("carbon", &SiteTable::carbon, "absent: no carbon", Bounds::not_negative(), "carbon intensity, constant: \"380 g/kWh\"")
      .later("timezone", "IANA zone of local times");
  return record;
}

Record<CostTable> cost_record() {
  Record<CostTable> record("cost");
  record.place(&CostTable::place)
      .optional("rental", &CostTable::rental, "absent", Bounds::not_negative(), "rent of a GPU: \"1.30 USD/GPU/h\"")
      .optional("capital", &CostTable::capital, "absent", Bounds::not_negative(), "price of a node: \"90000 USD/node\"")
      .optional("life", &CostTable::life, "absent", Bounds::positive(), "time over which the capital is spread: \"4 year\"")
      .check([](const CostTable& cost, const Place& place, Diagnostics& diagnostics) {
        if (cost.rental && cost.rental->per != "GPU") {
          diagnostics.error(place, "rental is not stated per GPU", "write it as \"1.30 USD/GPU/h\"");
        }
        if (cost.capital && cost.capital->per != "node") {
          diagnostics.error(place, "capital is not stated per node", "write it as \"90000 USD/node\"");
        }
        if (cost.capital.has_value() != cost.life.has_value()) {
          diagnostics.error(place, "capital and life belong together", "give both, for example capital = \"300000 USD/node\", life = \"4 year\"");
        }
      });
  return record;
}

Record<ClusterTable> cluster_record() {
  Record<ClusterTable> record("cluster");
  record.place(&ClusterTable::place)
      .required("node", &ClusterTable::node, Bounds::any(), "node profile, by name or path")
      .required("nodes", &ClusterTable::nodes, Bounds::between(1, 100000), "how many of them")
      .optional("gpu", &ClusterTable::gpu, "the node's", Bounds::any(), "GPU profile in place of the node's, by name or path")
      .table("cost", &ClusterTable::cost, cost_record(), "what the hardware costs")
      .later("feed", "the feed that the nodes hang on");
  return record;
}

Record<ModelTable> model_record() {
  Record<ModelTable> record("model");
  record.place(&ModelTable::place)
      .required("architecture", &ModelTable::architecture, Bounds::any(), "architecture, by Hugging Face id or path")
      .later("quantization", "weights and KV in fewer bits")
      .later("accuracy", "accuracy of the model's answers");
  return record;
}

Record<EngineTable> engine_record() {
  using serving::EngineConfig;
  Record<EngineTable> record("engine");
  const auto number = [](std::int64_t EngineConfig::*member, double least, double most) {
    return [=](EngineTable& table, const Node& node, Diagnostics& diagnostics) {
      const auto* value = node.as<std::int64_t>();
      if (value == nullptr) {
        diagnostics.error(node.place(), "expected a whole number, read " + std::string(node.kind()), "write it without quotes or a fraction");
      } else if (static_cast<double>(*value) < least || static_cast<double>(*value) > most) {
        diagnostics.error(
            node.place(), std::to_string(*value) + " is out of bounds",
            "choose a number from " + std::to_string(static_cast<std::int64_t>(least)) + " to " + std::to_string(static_cast<std::int64_t>(most)));
      } else {
        table.config.*member = *value;
      }
    };
  };
  const auto flag = [](bool EngineConfig::*member) {
    return [=](EngineTable& table, const Node& node, Diagnostics& diagnostics) {
      if (const auto* value = node.as<bool>()) {
        table.config.*member = *value;
      } else {
        diagnostics.error(node.place(), "expected true or false, read " + std::string(node.kind()), "write true or false");
      }
    };
  };
  record.place(&EngineTable::place)
      .optional("vllm_version", &EngineTable::vllm_version, "\"0.19\"", Bounds::any(), "whose rules and defaults hold")
      .custom("max_num_seqs", "integer", "256", "sequences in a step at most", number(&EngineConfig::max_num_seqs, 1, 16384))
      .custom("max_num_batched_tokens", "integer", "8192", "tokens in a step at most", number(&EngineConfig::max_num_batched_tokens, 1, 1 << 20))
      .optional("max_model_len", &EngineTable::max_model_len, "the model's context", Bounds::between(2, 1 << 24),
                "prompt and answer of a request together at most, tokens")
      .custom("block_size", "integer", "16", "tokens in a KV block", number(&EngineConfig::block_size, 1, 256))
      .optional("num_gpu_blocks_override", &EngineTable::num_gpu_blocks_override, "from memory, model and engine", Bounds::between(2, 1e9),
                "KV blocks of a replica, as the engine's log states them")
      .optional("gpu_memory_utilization", &EngineTable::gpu_memory_utilization, "0.9", Bounds::between(0.01, 1),
                "share of the GPU's memory that the engine takes")
      .custom("enable_prefix_caching", "boolean", "true", "whether KV blocks can be found again", flag(&EngineConfig::enable_prefix_caching))
      .custom("async_scheduling", "boolean", "true", "whether a step is scheduled while the one before it runs",
              flag(&EngineConfig::async_scheduling))
      .custom("enable_chunked_prefill", "boolean", "true", "whether a prompt may be spread over steps", flag(&EngineConfig::enable_chunked_prefill))
      .optional("over_context", &EngineTable::over_context, "\"reject\"", Bounds::any(),
                "what becomes of a request longer than the context: \"reject\" or \"truncate\"; both are counted")
      .check([](const EngineTable& table, const Place& place, Diagnostics& diagnostics) {
        if (table.config.max_num_batched_tokens < table.config.max_num_seqs) {
          diagnostics.error(place, "max_num_batched_tokens is below max_num_seqs", "raise it: every running sequence needs a token a step");
        }
        if (table.over_context != "reject" && table.over_context != "truncate") {
          diagnostics.error(place, "over_context = \"" + table.over_context + "\" is not known", "write \"reject\" or \"truncate\"");
        }
        if (table.vllm_version != "0.19") {
          diagnostics.error(place, "vllm_version \"" + table.vllm_version + "\" is not yet supported", "write \"0.19\" or leave the key out");
        }
      });
  return record;
}

void read_clocks(PoolTable& pool, const Node& node, Diagnostics& diagnostics) {
  const auto one = [&](const Node& value) -> std::optional<Hertz> {
    if (const auto* text = value.as<std::string>()) return config::parse_quantity<Hertz>(*text, value.place(), diagnostics);
    diagnostics.error(value.place(), "expected a clock, read " + std::string(value.kind()), "write a string such as \"1410 MHz\"");
    return std::nullopt;
  };
  if (const auto* table = node.as<config::Table>()) {
    for (const auto& entry : table->entries) {
      if (entry.key == "prefill") {
        pool.sm_clock.prefill = one(*entry.value);
      } else if (entry.key == "decode") {
        pool.sm_clock.decode = one(*entry.value);
      } else {
        diagnostics.error(entry.place, "unknown key \"" + entry.key + "\"", "sm_clock has the keys prefill and decode");
      }
    }
    if (table->find("prefill") == nullptr || table->find("decode") == nullptr) {
      diagnostics.error(node.place(), "sm_clock needs prefill and decode", "write { prefill = \"1980 MHz\", decode = \"1410 MHz\" } or one clock");
    }
    return;
  }
  const auto* text = node.as<std::string>();
  if (text != nullptr && *text == "auto") return;
  pool.sm_clock.prefill = pool.sm_clock.decode = one(node);
}

void read_power_limit(PoolTable& pool, const Node& node, Diagnostics& diagnostics) {
  const auto* text = node.as<std::string>();
  if (text == nullptr) {
    diagnostics.error(node.place(), "expected a power, read " + std::string(node.kind()), "write \"default\" or a string such as \"500 W\"");
  } else if (*text != "default") {
    pool.gpu_power_limit = config::parse_quantity<Watts>(*text, node.place(), diagnostics);
    if (pool.gpu_power_limit && pool.gpu_power_limit->si() <= 0) {
      diagnostics.error(node.place(), "a power limit must be above 0 W", "write \"default\" or a limit that the board allows");
    }
  }
}

Record<PoolTable> pool_record() {
  Record<PoolTable> record("pool");
  record.place(&PoolTable::place)
      .optional("cluster", &PoolTable::cluster, "", Bounds::any(), "the cluster whose GPUs the pool uses; or `node`")
      .optional("node", &PoolTable::node, "", Bounds::any(), "short form: a node profile; as many nodes as the replicas need are made")
      .optional("gpu", &PoolTable::gpu, "the node's", Bounds::any(), "with `node`: a GPU profile in place of the node's, by name or path")
      .table("cost", &PoolTable::cost, cost_record(), "with `node`: what the hardware costs")
      .required("model", &PoolTable::model, Bounds::any(), "a [model] table's name or an architecture")
      .optional("engine", &PoolTable::engine, "vLLM 0.19's values", Bounds::any(), "an [engine] table's name")
      .required("tensor_parallel_size", &PoolTable::tensor_parallel_size, Bounds::between(1, 64), "GPUs of a replica")
      .required("replicas", &PoolTable::replicas, Bounds::between(1, 500000), "how many")
      .custom("sm_clock", "frequency, or { prefill, decode }", "\"auto\"",
              "lock of the SM clock; a mixed step runs at the prefill clock; \"auto\": the profile's", read_clocks)
      .custom("gpu_power_limit", "power", "\"default\"", "cap on a GPU's mean watts in a step; \"default\": the profile's", read_power_limit)
      .optional("speed_factor", &PoolTable::speed_factor, "1", Bounds::between(0.01, 2), "core speed of the pool's GPUs over the profile's");
  return record;
}

Record<SloTable> slo_record() {
  Record<SloTable> record("slo");
  record.place(&SloTable::place)
      .optional("ttft", &SloTable::ttft, "no limit", Bounds::positive(), "time to the first token at most")
      .optional("tpot", &SloTable::tpot, "no limit", Bounds::positive(), "mean time a further token at most")
      .optional("e2e", &SloTable::e2e, "no limit", Bounds::positive(), "time to the last token at most")
      .optional("attainment", &SloTable::attainment, "\"99 %\"", Bounds::between(0, 1), "share of requests that must be within every limit")
      .optional("required", &SloTable::required, "false", Bounds::any(), "whether missing it makes the run exit with 3");
  return record;
}

void read_requests(TrafficTable& traffic, const Node& node, Diagnostics& diagnostics) {
  if (const auto* text = node.as<std::string>()) {
    traffic.requests.histogram = *text;
  } else if (node.as<config::Table>() != nullptr) {
    traffic.requests.trace = traces::trace_record().read(node, diagnostics);
  } else {
    diagnostics.error(node.place(), "expected a histogram's name or a trace, read " + std::string(node.kind()),
                      "write \"azure-2023-conv\" or { file = \"requests.csv\", format = \"azure\" }");
  }
}

void read_length_prediction(TrafficTable& traffic, const Node& node, Diagnostics& diagnostics) {
  const auto* text = node.as<std::string>();
  if (text != nullptr && (*text == "oracle" || *text == "mean")) {
    traffic.length_prediction = *text;
  } else if (node.as<config::Table>() != nullptr) {
    diagnostics.error(node.place(), "length_prediction with a relative error is not yet supported", "write \"oracle\" or \"mean\"");
  } else {
    diagnostics.error(node.place(), "length_prediction is neither \"oracle\" nor \"mean\"", "write \"oracle\" or \"mean\"");
  }
}

Record<TrafficTable> traffic_record() {
  Record<TrafficTable> record("traffic");
  record.place(&TrafficTable::place)
      .custom("requests", "string, or { file, format, .. }", "", "a length histogram (shipped name or path), or a trace to replay", read_requests)
      .table("arrivals", &TrafficTable::arrivals, traces::arrivals_record(), "when generated requests arrive")
      .optional("lengths", &TrafficTable::lengths, "", Bounds::any(), "with `arrivals`: the length histogram")
      .optional("request_rate", &TrafficTable::request_rate, "", Bounds::between(1e-6, 1e8),
                "mean arrivals of a Poisson process: \"5.5 /s\"; ignored, with a note, where a trace has arrivals of its own")
      .optional("num_requests", &TrafficTable::num_requests, "no limit", Bounds::between(1, 4e9), "generated requests at most")
      .optional("models", &TrafficTable::models, "the pools' one model", Bounds::any(), "models that may answer")
      .custom("length_prediction", "\"oracle\" | \"mean\"", "", "what policies believe of a request's output length", read_length_prediction)
      .table("slo", &TrafficTable::slo, slo_record(), "limits on latency")
      .later("rate", "scaling of a trace's arrivals")
      .later("priority", "which traffic is slowed down first");
  return record;
}

Record<RouterTable> router_record() {
  Record<RouterTable> record("router");
  record.place(&RouterTable::place)
      .optional("replica", &RouterTable::replica, "\"round_robin\"", Bounds::any(),
                "the policy that chooses a replica: a [policy] table or a registered name")
      .optional("report_period", &RouterTable::report_period, "absent: the state of this instant", Bounds::between(1e-3, 3600),
                "age at most of the load reports that the policy reads")
      .later("pool", "the policy that chooses a pool");
  return record;
}

void read_policies(File& file, const Node& node, Diagnostics& diagnostics) {
  const auto* table = node.as<config::Table>();
  if (table == nullptr) {
    diagnostics.error(node.place(), "expected tables [policy.NAME], read " + std::string(node.kind()), "write [policy.NAME] with use = \"...\"");
    return;
  }
  for (const auto& entry : table->entries) {
    if (entry.value->as<config::Table>() == nullptr) {
      diagnostics.error(entry.place, "expected a table, read " + std::string(entry.value->kind()), "write [policy." + entry.key + "]");
    } else {
      file.policy.emplace_back(entry.key, *entry.value);
    }
  }
}

}  // namespace

Record<File> file_record() {
  Record<File> record("scenario");
  record.required("schema", &File::schema, Bounds::between(1, 1), "version of these keys")
      .optional("name", &File::name, "the file's", Bounds::any(), "names the results' folder")
      .optional("seed", &File::seed, "1", Bounds::between(0, 9.0e15), "of every random stream")
      .table("time", &File::time, time_record(), "how long")
      .tables("site", &File::site, site_record(), "where the hardware stands")
      .tables("cluster", &File::cluster, cluster_record(), "hardware that is bought: whole nodes")
      .tables("model", &File::model, model_record(), "models by a name of your own")
      .tables("engine", &File::engine, engine_record(), "the serving engine's arguments, by vLLM's names")
      .tables("pool", &File::pool, pool_record(), "replicas of one model on one kind of GPU")
      .tables("traffic", &File::traffic, traffic_record(), "requests")
      .table("router", &File::router, router_record(), "who gets a request")
      .custom("policy", "tables", "", "policies with parameters of their own: [policy.NAME] with use = \"...\"; see `joulecast policies`",
              read_policies)
      .later("feed", "what a breaker carries")
      .later("training", "training jobs")
      .later("sweep", "many settings of one scenario")
      .later("compare", "policies side by side")
      .later("plan", "the fleet that holds what is asked");
  return record;
}

}  // namespace joulecast::scenario
