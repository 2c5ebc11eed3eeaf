#include <fmt/format.h>

#include <algorithm>

#include "hardware/profiles.hpp"
#include "scenario/resolver.hpp"
#include "scenario/toml_writer.hpp"
#include "serving/cost/pool_costs.hpp"

namespace joulecast::scenario {

namespace {

/// What results call the GPUs that no pool uses.
constexpr const char* kNoPool = "no pool";

}  // namespace

std::optional<std::size_t> Resolver::pool_cluster(const std::string& name, const PoolTable& table) {
  if (table.cluster.empty() == table.node.empty()) {
    diagnostics_.error(table.place, table.cluster.empty() ? "the pool has neither cluster nor node" : "the pool has both cluster and node",
                       "name a [cluster] table, or write node = \"dgx-h100\" to have one made");
    return std::nullopt;
  }
  if (!table.cluster.empty()) {
    if (find(file_.cluster, table.cluster) == nullptr) {
      diagnostics_.error(table.place, "there is no [cluster." + table.cluster + "]",
                         nearest_table(file_.cluster, table.cluster) + "add it, or use node");
      return std::nullopt;
    }
    for (std::size_t i = 0; i < scenario_.clusters.size(); ++i) {
      if (scenario_.clusters[i].name == table.cluster) return i;
    }
    return std::nullopt;
  }
  if (find(file_.cluster, name) != nullptr) {
    diagnostics_.error(table.place, "node makes a cluster named after the pool, and there is a [cluster." + name + "]",
                       "write cluster = \"" + name + "\" in place of node, or rename one of them");
    return std::nullopt;
  }
  auto made = cluster(name, table.node, table.gpu, table.cost, table.place);
  if (!made) return std::nullopt;
  const auto gpus = made->node.gpus;
  const auto width = table.tensor_parallel_size * ranks_of(table);
  if (width <= gpus) {
    const std::int64_t per_node = gpus / width;
    made->nodes = static_cast<int>((table.replicas + per_node - 1) / per_node);
    scenario_.notes.push_back(fmt::format("pool \"{}\" made a cluster of {} x {}", name, made->nodes, made->node.name));
  }
  scenario_.clusters.push_back(*std::move(made));
  return scenario_.clusters.size() - 1;
}

std::int64_t Resolver::ranks_of(const PoolTable& table) const {
  const EngineTable* engine = find(file_.engine, table.engine.empty() ? "default" : table.engine);
  return engine == nullptr ? 1 : engine->config.data_parallel_size;
}

void Resolver::pool(const std::string& name, const PoolTable& table) {
  if (name == kNoPool) {
    diagnostics_.error(table.place, "a pool cannot be named \"no pool\": results call the GPUs that no pool uses so", "choose another name");
    return;
  }
  const auto index = pool_cluster(name, table);
  if (!index) return;
  const Cluster& cluster = scenario_.clusters[*index];
  Pool pool;
  pool.name = name;
  pool.cluster = *index;
  pool.model_name = table.model;
  pool.tensor_parallel_size = static_cast<int>(table.tensor_parallel_size);
  pool.replicas = static_cast<int>(table.replicas);
  pool.speed_factor = table.speed_factor;
  if (const std::int64_t ranks = ranks_of(table); pool.tensor_parallel_size * ranks > cluster.node.gpus) {
    const std::string of_ranks = ranks > 1 ? fmt::format(" on {} data-parallel ranks", ranks) : "";
    diagnostics_.error(
        table.place, fmt::format("tensor_parallel_size {}{} does not fit a node of {} GPUs", pool.tensor_parallel_size, of_ranks, cluster.node.gpus),
        fmt::format("choose at most {}; a replica lies in one node", cluster.node.gpus / ranks));
    return;
  }
  const ModelTable* model = find(file_.model, table.model);
  const std::string architecture = model != nullptr ? model->architecture : table.model;
  const Place& place = model != nullptr ? model->place : table.place;
  const bool found = collecting([&] {
    const std::string path = hardware::find_profile(hardware::model_folder(share_), "model", architecture, place);
    pool.model = llm::load_architecture(path, diagnostics_);
    scenario_.inputs.push_back(path);
    if (architecture.ends_with(".toml")) pool.model_path = absolute(path);
    if (model != nullptr && model->quantization) {
      pool.quantization = model->quantization;
      pool.model = llm::quantized(std::move(pool.model), *model->quantization);
    }
    if (!diagnostics_.failed()) llm::check_servable(pool.model, table.place);
  });
  if (!found || diagnostics_.failed()) return;
  if (model != nullptr) pool.accuracy = model->accuracy;
  engine(pool, table, cluster.gpu);
  operating_point(pool, table, cluster.gpu);
  if (!table.measured.empty()) measured(pool, table, cluster.gpu);
  scenario_.pools.push_back(std::move(pool));
}

void Resolver::engine(Pool& pool, const PoolTable& table, const hardware::GpuProfile& gpu) {
  EngineTable engine;
  if (const EngineTable* named = find(file_.engine, table.engine.empty() ? "default" : table.engine)) {
    engine = *named;
  } else if (!table.engine.empty()) {
    diagnostics_.error(table.place, "there is no [engine." + table.engine + "]",
                       nearest_table(file_.engine, table.engine) + "add it, or leave engine out");
    return;
  }
  pool.engine = engine.config;
  pool.engine.kv_role = table.role;
  if (!collecting([&] { llm::check_tensor_parallel(pool.model, pool.tensor_parallel_size, table.place, serving::expert_split(pool.engine)); }))
    return;
  if (pool.engine.data_parallel_size > 1 && !pool.model.experts) {
    diagnostics_.error(engine.place,
                       fmt::format("data_parallel_size {}: {} has no experts, so its ranks do not know of each other", pool.engine.data_parallel_size,
                                   pool.model.name),
                       fmt::format("write replicas = {} in the pool and leave data_parallel_size out", pool.engine.data_parallel_size));
    return;
  }
  pool.engine.over_context = engine.over_context == "truncate" ? serving::OverContext::truncate : serving::OverContext::reject;
  if (engine.speculative && !speculation(pool, *engine.speculative)) return;
  serving::DraftMemory draft;
  if (pool.draft) {
    draft.weight_bytes = pool.draft->weight_bytes_per_gpu(pool.tensor_parallel_size);
    draft.token_bytes = static_cast<double>(pool.draft->kv_bytes_per_token_per_gpu(pool.tensor_parallel_size));
  }
  pool.gpu_memory_utilization = engine.gpu_memory_utilization.value;
  if (engine.num_gpu_blocks_override) {
    pool.blocks_given = true;
    pool.engine.num_gpu_blocks = *engine.num_gpu_blocks_override;
  } else if (!collecting([&] {
               pool.engine.num_gpu_blocks =
                   serving::kv_blocks(gpu, pool.model, pool.tensor_parallel_size, pool.engine, pool.gpu_memory_utilization, table.place, draft);
             })) {
    return;
  }
  const std::int64_t capacity = (pool.engine.num_gpu_blocks - 1) * pool.engine.block_size;
  if (engine.max_model_len) {
    pool.engine.max_model_len = *engine.max_model_len;
    if (*engine.max_model_len > pool.model.max_position) {
      diagnostics_.error(engine.place,
                         fmt::format("max_model_len {} is longer than the model's context of {}", *engine.max_model_len, pool.model.max_position),
                         fmt::format("choose at most {}", pool.model.max_position));
    } else if (*engine.max_model_len > capacity) {
      diagnostics_.error(engine.place, fmt::format("max_model_len {} does not fit the KV cache of {} tokens", *engine.max_model_len, capacity),
                         fmt::format("choose at most {}, more GPUs a replica, or a larger gpu_memory_utilization", capacity));
    }
  } else {
    pool.engine.max_model_len = std::min(pool.model.max_position, capacity);
    if (capacity < pool.model.max_position) {
      scenario_.notes.push_back(fmt::format("pool \"{}\": max_model_len is {}, what the KV cache holds (the model's context is {})", pool.name,
                                            capacity, pool.model.max_position));
    }
  }
  const std::int64_t longest = std::min(pool.engine.max_model_len, capacity);
  if (!pool.engine.enable_chunked_prefill && pool.engine.max_num_batched_tokens < longest) {
    diagnostics_.error(engine.place,
                       fmt::format("without chunked prefill a prompt of up to {} tokens must fit in one step, and max_num_batched_tokens is {}",
                                   longest, pool.engine.max_num_batched_tokens),
                       fmt::format("raise max_num_batched_tokens to {}, lower max_model_len, or leave enable_chunked_prefill at true", longest));
  }
}

void Resolver::operating_point(Pool& pool, const PoolTable& table, const hardware::GpuProfile& gpu) {
  serving::OperatingPoint point = serving::default_point(gpu);
  if (table.sm_clock.prefill) point.prefill_clock = *table.sm_clock.prefill;
  if (table.sm_clock.decode) point.decode_clock = *table.sm_clock.decode;
  if (table.gpu_power_limit) point.cap = table.gpu_power_limit;
  collecting([&] { serving::check_point(gpu, point, table.place); });
  pool.prefill_clock = table.sm_clock.prefill;
  pool.decode_clock = table.sm_clock.decode;
  pool.power_limit = table.gpu_power_limit;
}

}  // namespace joulecast::scenario
