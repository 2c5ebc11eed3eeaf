#include "scenario/tables/engine.hpp"

namespace joulecast::scenario {

using config::Bounds;
using config::Diagnostics;
using config::Node;
using config::Record;

namespace {

Record<SpeculativeTable> speculative_record() {
  using Method = serving::Speculation::Method;
  Record<SpeculativeTable> record("speculative");
  record.place(&SpeculativeTable::place)
      .choice("method", &SpeculativeTable::method, {{"draft_model", Method::draft_model}, {"eagle", Method::eagle}, {"ngram", Method::ngram}}, "",
              "who drafts: a small model, a layer on the model's own states, or the text so far")
      .required("num_speculative_tokens", &SpeculativeTable::num_speculative_tokens, Bounds::between(1, 32), "drafted tokens a step")
      .required("acceptance_rate", &SpeculativeTable::acceptance_rate, Bounds::between(0, 1),
                "probability that a draft is right; measure it, there is no default")
      .optional("draft_model", &SpeculativeTable::draft_model, "", Bounds::any(),
                "with method \"draft_model\": its architecture, by Hugging Face id or path")
      .check([](const SpeculativeTable& table, const Place& place, Diagnostics& diagnostics) {
        const bool needs = table.method == Method::draft_model;
        if (needs != !table.draft_model.empty()) {
          diagnostics.error(place, needs ? "method \"draft_model\" without a draft_model" : "draft_model with a method that has none",
                            needs ? "name its architecture, for example draft_model = \"meta-llama/Llama-3.2-3B\"" : "leave draft_model out");
        }
      });
  return record;
}

void read_host_load(EngineTable& table, const Node& node, Diagnostics& diagnostics) {
  using serving::HostLoad;
  for (const HostLoad load : {HostLoad::exclusive, HostLoad::shared, HostLoad::shared_long_outputs}) {
    const auto* text = node.as<std::string>();
    if (text == nullptr || *text != serving::name(load)) continue;
    table.config.host_load = load;
    return;
  }
  diagnostics.error(node.place(), "this host_load is not known", R"(write "exclusive", "shared" or "shared_long_outputs")");
}

}  // namespace

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
      .custom("enable_expert_parallel", "boolean", "false", "whether a GPU holds whole experts in place of a slice of every one",
              flag(&EngineConfig::enable_expert_parallel))
      .custom("data_parallel_size", "integer", "1", "ranks that share a mixture's experts and step together; the sizes above are those of one rank",
              number(&EngineConfig::data_parallel_size, 1, 64))
      .custom("host_load", "string", "\"exclusive\"",
              "who else uses the node's CPUs: \"exclusive\", \"shared\" or \"shared_long_outputs\" (the GPU profile's [host_contention])",
              read_host_load)
      .optional("over_context", &EngineTable::over_context, "\"reject\"", Bounds::any(),
                "what becomes of a request longer than the context: \"reject\" or \"truncate\"; both are counted")
      .table("speculative", &EngineTable::speculative, speculative_record(), "speculative decoding; absent: none")
      .check([](const EngineTable& table, const Place& place, Diagnostics& diagnostics) {
        if (table.config.max_num_batched_tokens < table.config.max_num_seqs) {
          diagnostics.error(place, "max_num_batched_tokens is below max_num_seqs", "raise it: every running sequence needs a token a step");
        } else if (table.speculative &&
                   table.config.max_num_batched_tokens < table.config.max_num_seqs * (1 + table.speculative->num_speculative_tokens)) {
          diagnostics.error(place, "max_num_batched_tokens is below max_num_seqs * (1 + num_speculative_tokens)",
                            "raise it, or lower max_num_seqs: every running sequence has its drafts verified in a step");
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

}  // namespace joulecast::scenario
