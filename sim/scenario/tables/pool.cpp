#include "scenario/tables/pool.hpp"

#include "scenario/tables/priority.hpp"

namespace joulecast::scenario {

using config::Bounds;
using config::Diagnostics;
using config::Node;
using config::Record;

namespace {

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
  if (text != nullptr && !text->empty() && (text->front() < '0' || text->front() > '9')) {
    pool.sm_clock.policy = *text;
    return;
  }
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

}  // namespace

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
      .choice("role", &PoolTable::role,
              {{"both", serving::KvRole::both},
               {"prefill", serving::KvRole::producer},
               {"decode", serving::KvRole::consumer},
               {"kv_both", serving::KvRole::both},
               {"kv_producer", serving::KvRole::producer},
               {"kv_consumer", serving::KvRole::consumer}},
              "\"both\"", "what the pool does of a request: its prompt (vLLM's kv_producer), what comes after it (kv_consumer), or both")
      .custom("sm_clock", "frequency, { prefill, decode }, or policy", "\"auto\"",
              "lock of the SM clock; a mixed step runs at the prefill clock; \"auto\": the profile's; or the policy that chooses clocks", read_clocks)
      .custom("gpu_power_limit", "power", "\"default\"", "cap on a GPU's mean watts in a step; \"default\": the profile's", read_power_limit)
      .optional("speed_factor", &PoolTable::speed_factor, "1", Bounds::between(0.01, 2), "core speed of the pool's GPUs over the profile's")
      .optional("measured", &PoolTable::measured, "\"\"", Bounds::any(),
                "a file of steps measured of this model on such GPUs, relative to this file: costs go through them")
      .optional("scaling", &PoolTable::scaling, "none: all replicas stay loaded", Bounds::any(),
                "the policy that loads and unloads replicas: a [policy] table or a registered name")
      .custom("priority", "\"high\" | \"low\"", "low where all its traffics are", "which pools power policies slow down last, or first",
              read_priority<PoolTable>);
  return record;
}

}  // namespace joulecast::scenario
