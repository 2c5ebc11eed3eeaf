#include "scenario/resolved.hpp"

namespace joulecast::scenario {

namespace {

std::string role_name(serving::KvRole role) {
  switch (role) {
    case serving::KvRole::producer:
      return "prefill";
    case serving::KvRole::consumer:
      return "decode";
    default:
      return "both";
  }
}

TomlWriter resolved_speculation(const Pool& pool) {
  using Method = serving::Speculation::Method;
  const serving::Speculation& speculative = pool.engine.speculative;
  TomlWriter writer;
  writer.text("method", speculative.method == Method::draft_model ? "draft_model"
                        : speculative.method == Method::eagle     ? "eagle"
                                                                  : "ngram")
      .number("num_speculative_tokens", speculative.num_speculative_tokens)
      .real("acceptance_rate", speculative.acceptance_rate);
  if (!pool.draft_model.empty()) writer.text("draft_model", pool.draft_model);
  return writer;
}

}  // namespace

TomlWriter resolved_engine(const Pool& pool) {
  TomlWriter writer;
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
      .flag("enable_expert_parallel", config.enable_expert_parallel)
      .number("data_parallel_size", config.data_parallel_size)
      .text("host_load", std::string(serving::name(config.host_load)))
      .text("over_context", config.over_context == serving::OverContext::reject ? "reject" : "truncate");
  if (config.speculative.on()) writer.table("speculative", resolved_speculation(pool));
  return writer;
}

bool has_model_table(const Pool& pool) {
  return pool.model_name != pool.model.name || !pool.model_path.empty() || pool.accuracy.has_value() || pool.quantization;
}

TomlWriter resolved_model(const Pool& pool) {
  TomlWriter writer;
  writer.text("architecture", pool.model_path.empty() ? pool.model.name : pool.model_path);
  if (pool.quantization) writer.text("quantization", std::string(llm::name(*pool.quantization)));
  if (pool.accuracy) {
    TomlWriter accuracy;
    accuracy.real("value", pool.accuracy->value.value)
        .text("per", pool.accuracy->per == serving::ModelAccuracy::Per::request ? "request" : "token")
        .text("source", pool.accuracy->source);
    writer.table("accuracy", std::move(accuracy));
  }
  return writer;
}

TomlWriter resolved_pool(const Scenario& scenario, const Pool& pool) {
  TomlWriter writer;
  writer.text("cluster", scenario.clusters[pool.cluster].name)
      .text("model", pool.model_name)
      .text("engine", pool.name)
      .number("tensor_parallel_size", pool.tensor_parallel_size)
      .number("replicas", pool.replicas)
      .text("role", role_name(pool.engine.kv_role));
  if (pool.clock_policy) {
    writer.text("sm_clock", "clocks-" + pool.name);
  } else if (pool.prefill_clock && pool.decode_clock) {
    TomlWriter clocks;
    clocks.quantity("prefill", pool.prefill_clock->si(), "Hz").quantity("decode", pool.decode_clock->si(), "Hz");
    writer.table("sm_clock", std::move(clocks));
  } else {
    writer.text("sm_clock", "auto");
  }
  const auto& gpu = scenario.clusters[pool.cluster].gpu;
  writer.quantity("gpu_power_limit", (pool.power_limit ? *pool.power_limit : gpu.power_limit.standard.value).si(), "W");
  writer.real("speed_factor", pool.speed_factor);
  if (pool.measured) writer.text("measured", absolute(pool.measured->file));
  if (pool.scaling) writer.text("scaling", "scaling-" + pool.name);
  writer.text("priority", pool.priority == control::Priority::high ? "high" : "low");
  return writer;
}

}  // namespace joulecast::scenario
